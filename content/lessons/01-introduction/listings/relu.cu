// ReLU in CUDA C++: what one thread does with one element.
// nvcc -arch=native relu.cu -o relu && ./relu

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// region: kernel
__global__ void relu(
    const float* x,
    float* y, int n) {
  int i = blockIdx.x
        * blockDim.x
        + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = v<0 ? 0 : v;
  }
}
// endregion

void launch(const float* x, float* y, int n) {
  relu<<<(n + 255) / 256, 256>>>(x, y, n);
}

static void check(cudaError_t code) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
    std::exit(3);
  }
}

int main() {
  const int n = 1000;
  std::vector<float> host(n), got(n, -1.0f);
  for (int i = 0; i < n; ++i) host[i] = -3.0f + 6.0f * i / (n - 1);
  host[500] = NAN;  // torch.relu hands a NaN on, and so must this

  float *x, *y;
  check(cudaMalloc(&x, n * sizeof(float)));
  check(cudaMalloc(&y, n * sizeof(float)));
  check(cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  launch(x, y, n);
  check(cudaGetLastError());
  check(cudaMemcpy(got.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(x));
  check(cudaFree(y));

  for (int i = 0; i < n; ++i) {
    const float want = host[i] < 0 ? 0.0f : host[i];
    if (got[i] != want && !(std::isnan(got[i]) && std::isnan(want))) {
      std::fprintf(stderr, "element %d: %g, not %g\n", i, got[i], want);
      return 1;
    }
  }
  std::printf("relu of %d numbers: right\n", n);
  return 0;
}
