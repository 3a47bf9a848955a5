"""The terminal itself: keys as they come, a full screen that is always left as it was found."""
