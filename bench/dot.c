/* Scores of int8 rows for bench/vectors.py, which compiles this for the processor it runs on.
 *
 * rows int8 [n, d] and queries int16 [m, d], within such bounds that d products fit 32 bits; a row's
 * factor turns the whole number into a cosine: scores float32 [m, n]. Plain loops: the compiler
 * makes the widest integer products of the processor of them.
 */
#include <stdint.h>

void dot(const int8_t *rows, const float *factors, int64_t n, int64_t d, const int16_t *queries,
         int64_t m, float *scores, int64_t stride) {
  for (int64_t row = 0; row < n; row++) {
    const int8_t *a = rows + row * d;
    for (int64_t query = 0; query < m; query++) {
      const int16_t *b = queries + query * d;
      int32_t sum = 0;
      for (int64_t i = 0; i < d; i++) sum += (int16_t)a[i] * b[i];
      scores[query * stride + row] = (float)sum * factors[row];
    }
  }
}
