// Stands in CUDA's place and runs a kernel on a CPU: each thread of a block is a thread of the
// host, blocks follow one another. Only what fused_transformer.cu uses.
#pragma once

#include <barrier>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __global__
#define __launch_bounds__(threads)
#define __shared__ static

struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct float2 {
    float x, y;
};

struct Block {
    std::barrier<> all;
    std::vector<std::unique_ptr<std::barrier<>>> warps;
    std::vector<float> exchanged;

    explicit Block(int threads) : all(threads), exchanged(threads) {
        for (int first = 0; first < threads; first += 32) {
            warps.push_back(std::make_unique<std::barrier<>>(32));
        }
    }
};
inline Block* block;
inline thread_local uint3 threadIdx, blockIdx;

inline void __syncthreads() { block->all.arrive_and_wait(); }

inline float __shfl_xor_sync(unsigned, float value, int distance) {
    std::barrier<>& warp = *block->warps[threadIdx.x / 32];
    block->exchanged[threadIdx.x] = value;
    warp.arrive_and_wait();
    const float other = block->exchanged[threadIdx.x ^ distance];
    warp.arrive_and_wait();
    return other;
}

template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, unsigned blocks, int threads, Arguments... arguments) {
    for (unsigned b = 0; b < blocks; ++b) {
        Block own(threads);
        block = &own;
        std::vector<std::thread> running;
        for (unsigned t = 0; t < unsigned(threads); ++t) {
            running.emplace_back([=] {
                threadIdx = {t, 0, 0};
                blockIdx = {b, 0, 0};
                kernel(arguments...);
            });
        }
        for (std::thread& thread : running) {
            thread.join();
        }
    }
}

inline unsigned __umulhi(unsigned a, unsigned b) { return (1ull * a * b) >> 32; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float a) { return 1.0f / std::sqrt(a); }

inline float __uint_as_float(unsigned bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

struct __nv_bfloat16 {
    unsigned short bits;
};
struct __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

inline __nv_bfloat16 nearest(float value) {  // of two equally near the even one; NaN is not kept
    unsigned bits;
    std::memcpy(&bits, &value, 4);
    return {static_cast<unsigned short>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {nearest(a.x), nearest(a.y)}; }

struct __half2 {
    _Float16 x, y;
};

inline float2 __half22float2(__half2 a) { return {float(a.x), float(a.y)}; }
inline __half2 __float22half2_rn(float2 a) { return {_Float16(a.x), _Float16(a.y)}; }
