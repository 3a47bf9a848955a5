// The boundary between two T5 sublayers, written by hand in CUDA C++:
//
//     h   = residual + dropout(x)
//     out = weight * h / sqrt(mean(h^2) + eps)
//
// x, residual, h and out are (rows, width), weight is (width,). The algorithm is that of
// boundary_kernel in fused_transformer.py, with the same bytes, 8 an element in 16 bits, and the
// same random numbers. What Triton's compiler decides has to be said here: which thread owns which
// elements, how many bytes an instruction moves, how threads add up a row.
//
// Read from top to bottom: pairs, vectors, random numbers, the sum over a block, the kernel.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Arithmetic is done in float2, two elements at a time: one instruction rounds both to 16 bits.
// In memory a Pair is a __nv_bfloat162, a __half2 or a float2.
__device__ float2 widen(__nv_bfloat162 pair) {
    // A bfloat16 is the upper half of a float.
    const unsigned bits = reinterpret_cast<const unsigned&>(pair);
    return {__uint_as_float(bits << 16), __uint_as_float(bits & 0xFFFF0000)};
}
__device__ float2 widen(__half2 pair) { return __half22float2(pair); }
__device__ float2 widen(float2 pair) { return pair; }

template <typename Pair>
__device__ Pair narrow(float2 pair);
template <>
__device__ __nv_bfloat162 narrow(float2 pair) { return __float22bfloat162_rn(pair); }
template <>
__device__ __half2 narrow(float2 pair) { return __float22half2_rn(pair); }
template <>
__device__ float2 narrow(float2 pair) { return pair; }

// A vector is the 16 bytes that a thread moves with one instruction, the most there is: 4 pairs of
// 16-bit numbers or 2 of floats. To the compiler it is a uint4, or it would move each pair alone.
template <typename Pair>
struct Vector {
    using Element = decltype(Pair::x);
    static constexpr int PAIRS = sizeof(uint4) / sizeof(Pair), LANES = 2 * PAIRS;
    uint4 bits;
    __device__ Pair& operator[](int i) { return reinterpret_cast<Pair*>(&bits)[i]; }
};

// Rows are WHOLE where a vector neither crosses the end of a row nor starts off a multiple of 16
// bytes. Other rows are moved an element at a time. Lanes past the end read as 0.
template <bool WHOLE, typename Vec>
__device__ Vec load(const typename Vec::Element* row, unsigned column, unsigned width) {
    Vec vector = {};
    if constexpr (WHOLE) {
        if (column < width) {
            vector.bits = *reinterpret_cast<const uint4*>(row + column);
        }
    } else {
#pragma unroll
        for (int i = 0; i < Vec::PAIRS; ++i, column += 2) {
            if (column < width) {
                vector[i].x = row[column];
            }
            if (column + 1 < width) {
                vector[i].y = row[column + 1];
            }
        }
    }
    return vector;
}

template <bool WHOLE, typename Vec>
__device__ void store(typename Vec::Element* row, unsigned column, unsigned width, Vec vector) {
    if constexpr (WHOLE) {
        if (column < width) {
            *reinterpret_cast<uint4*>(row + column) = vector.bits;
        }
    } else {
#pragma unroll
        for (int i = 0; i < Vec::PAIRS; ++i, column += 2) {
            if (column < width) {
                row[column] = vector[i].x;
            }
            if (column + 1 < width) {
                row[column + 1] = vector[i].y;
            }
        }
    }
}

// Philox4x32 (Salmon et al., 2011) turns a counter into four random words; the seed is its key.
// The counter is (call, row, 0, 0), as in `keep` of fused_transformer.py: so the masks are alike.
template <int ROUNDS>
__device__ uint4 philox(unsigned long long seed, unsigned call, unsigned row) {
    const unsigned a = 0xD2511F53, b = 0xCD9E8D57;
    unsigned key_x = seed, key_y = seed >> 32;
    uint4 c = {call, row, 0, 0};
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        c = {__umulhi(b, c.z) ^ c.y ^ key_x, b * c.z, __umulhi(a, c.x) ^ c.w ^ key_y, a * c.x};
        key_x += 0x9E3779B9;
        key_y += 0xBB67AE85;
    }
    return c;
}

// Zero where the word lies below the threshold, else scaled. __fmul_rn is rounded by itself and
// not fused with the addition that follows: as in Triton, or h would differ in its last bit.
__device__ float2 drop(float2 x, unsigned first, unsigned second, unsigned threshold, float scale) {
    x = {__fmul_rn(x.x, scale), __fmul_rn(x.y, scale)};
    return {first >= threshold ? x.x : 0.0f, second >= threshold ? x.y : 0.0f};
}

// Adds x to two elements of the residual stream and returns the sum of their squares, taken of h
// as it is stored: that is what the next layer reads.
template <typename Pair>
__device__ float add(Pair& residual, float2 x) {
    const float2 before = widen(residual);
    residual = narrow<Pair>({before.x + x.x, before.y + x.y});
    const float2 h = widen(residual);
    return h.x * h.x + h.y * h.y;
}

// Every thread of a warp gets the sum over the warp: five exchanges between registers.
__device__ float sum_of_warp(float value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
    }
    return value;
}

// Every thread gets the sum over the block: each warp leaves its own in shared memory, and behind
// the barrier each warp adds up all of them.
template <int THREADS>
__device__ float sum_of_block(float value) {
    __shared__ float of_warp[THREADS / 32];
    const int lane = threadIdx.x % 32;
    value = sum_of_warp(value);
    if (lane == 0) {
        of_warp[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return sum_of_warp(lane < THREADS / 32 ? of_warp[lane] : 0.0f);
}

// One block of THREADS threads does one row and holds it in registers, VECTORS vectors a thread.
// Vector i of thread t begins at column (i * THREADS + t) * LANES: so the threads of a warp move
// one stretch of memory together.
template <typename Pair, int THREADS, int VECTORS, bool WHOLE, int ROUNDS, bool DROP>
__global__ void __launch_bounds__(THREADS) boundary(
    const typename Vector<Pair>::Element* __restrict__ x,
    const typename Vector<Pair>::Element* __restrict__ residual,
    const typename Vector<Pair>::Element* __restrict__ weight,
    typename Vector<Pair>::Element* __restrict__ h,
    typename Vector<Pair>::Element* __restrict__ out,
    long long x_stride,
    long long residual_stride,
    unsigned width,
    float scale,
    float eps,
    unsigned long long seed,
    const unsigned long long* seed_ptr,  // null: the seed is the number before
    unsigned threshold
) {
    using Vec = Vector<Pair>;
    const long long row = blockIdx.x;  // row * stride passes 2^31 in large tensors
    x += row * x_stride;
    residual += row * residual_stride;
    h += row * width;
    out += row * width;
    if (DROP && seed_ptr) {
        seed = *seed_ptr;
    }

    // All loads stand before the first store, so that all can be under way at once.
    Vec xs[VECTORS], held[VECTORS];
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
        const unsigned column = (i * THREADS + threadIdx.x) * Vec::LANES;
        xs[i] = load<WHOLE, Vec>(x, column, width);
        held[i] = load<WHOLE, Vec>(residual, column, width);
    }

    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
        const unsigned column = (i * THREADS + threadIdx.x) * Vec::LANES;
#pragma unroll
        for (int j = 0; j < Vec::PAIRS; j += 2) {
            float2 first = widen(xs[i][j]), second = widen(xs[i][j + 1]);
            if (DROP) {
                // One call serves four elements; with a call each, arithmetic would be the limit.
                const uint4 words = philox<ROUNDS>(seed, column / 4 + j / 2, row);
                first = drop(first, words.x, words.y, threshold, scale);
                second = drop(second, words.z, words.w, threshold, scale);
            }
            squares += add(held[i][j], first) + add(held[i][j + 1], second);
        }
        store<WHOLE>(h, column, width, held[i]);
    }

    const float mean = __fdividef(sum_of_block<THREADS>(squares), width);
    const float scale_row = rsqrtf(mean + eps);
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
        const unsigned column = (i * THREADS + threadIdx.x) * Vec::LANES;
        Vec weights = load<WHOLE, Vec>(weight, column, width);
#pragma unroll
        for (int j = 0; j < Vec::PAIRS; ++j) {
            const float2 stored = widen(held[i][j]), by = widen(weights[j]);
            // T5 rounds to its own dtype before it multiplies by the weight.
            const float2 normed = widen(narrow<Pair>({stored.x * scale_row, stored.y * scale_row}));
            held[i][j] = narrow<Pair>({normed.x * by.x, normed.y * by.y});
        }
        store<WHOLE>(out, column, width, held[i]);
    }
}
