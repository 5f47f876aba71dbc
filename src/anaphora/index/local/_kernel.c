/* The inner loops of search: over postings, over vectors, and the look-up of a term.
 *
 * Exact top-k over impact-coded postings: windowed MaxScore with block maxima.
 *
 * A posting is a passage ordinal and a code. `tables` holds the score of each code of each list, so
 * the kernel needs no formula. Sums are doubles: they do not depend on the order in which lists are
 * added, and pruning never changes a result.
 *
 * Ordinals are processed in windows of WINDOW (the bulk form of MaxScore, as in Lucene and in
 * Mackenzie and Moffat's work). In each window, lists whose summed maxima cannot raise a passage
 * above the current k-th score are only looked up for passages that the other lists found.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096
#define BLOCK 128
#define LOOK_UP_COST 12 /* postings that can be added up while one is looked up */

typedef struct {
    const uint32_t *docs;
    const void *codes;
    const float *table;
    float *block_max;
    int64_t n;
    int64_t pos;
    int64_t end;
    double bound; /* the most a posting of this list scores in the current window */
} List;

typedef struct {
    float score;
    uint32_t doc;
} Found;

/* `a` ranks below `b`: lower score, or an equal one and a later ordinal. */
static inline int below(Found a, Found b) {
    return a.score < b.score || (a.score == b.score && a.doc > b.doc);
}

static void sift_down(Found *heap, Py_ssize_t n, Py_ssize_t at) {
    Found moving = heap[at];
    for (;;) {
        Py_ssize_t child = 2 * at + 1;
        if (child >= n) break;
        if (child + 1 < n && below(heap[child + 1], heap[child])) child++;
        if (!below(heap[child], moving)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

static void push(Found *heap, Py_ssize_t *n, Py_ssize_t k, Found found) {
    if (*n < k) {
        Py_ssize_t at = (*n)++;
        while (at > 0) {
            Py_ssize_t parent = (at - 1) / 2;
            if (!below(found, heap[parent])) break;
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = found;
    } else if (below(heap[0], found)) {
        heap[0] = found;
        sift_down(heap, k, 0);
    }
}

/* First index in [low, high) whose document is at least `doc`; without branches to mispredict. */
static inline int64_t lower_bound(const uint32_t *docs, int64_t low, int64_t high, uint32_t doc) {
    const uint32_t *at = docs + low;
    int64_t n = high - low;
    while (n > 1) {
        int64_t half = n >> 1;
        at += at[half - 1] < doc ? half : 0;
        n -= half;
    }
    return at - docs + (n == 1 && *at < doc);
}

/* The same from `low` on, for a place that is expected near. */
static inline int64_t gallop(const uint32_t *docs, int64_t low, int64_t high, uint32_t doc) {
    int64_t step = 16;
    while (low + step < high && docs[low + step - 1] < doc) {
        low += step;
        step <<= 1;
    }
    return lower_bound(docs, low, low + step < high ? low + step : high, doc);
}

static inline uint32_t code_at(const List *list, int64_t i, int wide) {
    return wide ? ((const uint32_t *)list->codes)[i] : ((const uint16_t *)list->codes)[i];
}

static void accumulate(const List *list, uint32_t base, double *sums, int wide) {
    const uint32_t *docs = list->docs;
    const float *table = list->table;
    if (wide) {
        const uint32_t *codes = list->codes;
        for (int64_t i = list->pos; i < list->end; i++) sums[docs[i] - base] += table[codes[i]];
    } else {
        const uint16_t *codes = list->codes;
        for (int64_t i = list->pos; i < list->end; i++) sums[docs[i] - base] += table[codes[i]];
    }
}

typedef struct {
    Found *heap;
    Py_ssize_t n, k;
    float floor; /* only scores above this count */
    const uint8_t *live;
} Top;

static inline float threshold(const Top *top) {
    return top->n < top->k ? top->floor
                           : (top->heap[0].score > top->floor ? top->heap[0].score : top->floor);
}

/* A passage with the sum of the lists that were added up; the others are looked up while the
 * passage can still pass the bar. Equal scores go on to `push`, which knows which came first. */
static inline void offer(Top *top, double sum, uint32_t doc, List **looked_up, Py_ssize_t n,
                         const double *below_sum, int wide) {
    float bar = threshold(top);
    for (Py_ssize_t i = n; i > 0; i--) {
        if ((float)(sum + below_sum[i]) < bar) return;
        List *list = looked_up[i - 1];
        int64_t at = lower_bound(list->docs, list->pos, list->end, doc);
        if (at < list->end && list->docs[at] == doc) sum += list->table[code_at(list, at, wide)];
    }
    float score = (float)sum;
    if (score < bar || score <= top->floor || (top->live && !top->live[doc])) return;
    push(top->heap, &top->n, top->k, (Found){score, doc});
}

/* The lists that reach into [.., stop), with their ends and bounds there, least bound first. */
static Py_ssize_t activate(List *lists, Py_ssize_t n_lists, uint32_t stop, List **active,
                           double *total) {
    Py_ssize_t n = 0;
    *total = 0;
    for (Py_ssize_t i = 0; i < n_lists; i++) {
        List *list = &lists[i];
        if (list->pos >= list->n || list->docs[list->pos] >= stop) continue;
        list->end = gallop(list->docs, list->pos, list->n, stop);
        float bound = 0;
        for (int64_t b = list->pos / BLOCK; b <= (list->end - 1) / BLOCK; b++)
            if (list->block_max[b] > bound) bound = list->block_max[b];
        list->bound = bound;
        *total += bound;
        Py_ssize_t at = n++;
        for (; at > 0 && active[at - 1]->bound > list->bound; at--) active[at] = active[at - 1];
        active[at] = list;
    }
    return n;
}

/* One window: the lists from `drivers` on bring up passages. Of the others, those that are short
 * against what the drivers bring up are added up too, since adding a posting costs a tenth of
 * looking one up; the rest, moved to the front of `active`, are looked up. */
static void window(List **active, Py_ssize_t n_active, Py_ssize_t drivers, uint32_t base,
                   double *below_sum, double *sums, Top *top, int wide) {
    int64_t brought = 0;
    for (Py_ssize_t i = drivers; i < n_active; i++) brought += active[i]->end - active[i]->pos;
    Py_ssize_t n_looked_up = 0;
    below_sum[0] = 0;
    for (Py_ssize_t i = 0; i < drivers; i++) {
        List *list = active[i];
        if (list->end - list->pos <= LOOK_UP_COST * brought) {
            accumulate(list, base, sums, wide);
        } else {
            active[n_looked_up] = list;
            below_sum[n_looked_up + 1] = below_sum[n_looked_up] + list->bound;
            n_looked_up++;
        }
    }
    for (Py_ssize_t i = drivers; i < n_active; i++) accumulate(active[i], base, sums, wide);
    double rest = below_sum[n_looked_up];
    if (brought < WINDOW / 4) {
        for (Py_ssize_t i = drivers; i < n_active; i++)
            for (int64_t p = active[i]->pos; p < active[i]->end; p++) {
                uint32_t doc = active[i]->docs[p];
                double sum = sums[doc - base];
                sums[doc - base] = 0;
                if (sum > 0 && (float)(sum + rest) >= threshold(top))
                    offer(top, sum, doc, active, n_looked_up, below_sum, wide);
            }
    } else {
        for (uint32_t j = 0; j < WINDOW; j++)
            if (sums[j] > 0 && (float)(sums[j] + rest) >= threshold(top))
                offer(top, sums[j], base + j, active, n_looked_up, below_sum, wide);
    }
    memset(sums, 0, WINDOW * sizeof *sums);
}

static void walk(List *lists, Py_ssize_t n_lists, List **active, double *below_sum, double *sums,
                 Top *top, int wide) {
    for (;;) {
        uint32_t first = UINT32_MAX;
        for (Py_ssize_t i = 0; i < n_lists; i++)
            if (lists[i].pos < lists[i].n && lists[i].docs[lists[i].pos] < first)
                first = lists[i].docs[lists[i].pos];
        if (first == UINT32_MAX) return;
        uint32_t base = first & ~(uint32_t)(WINDOW - 1);
        /* A segment has fewer than 2^32 - WINDOW passages. */
        double total;
        Py_ssize_t n_active = activate(lists, n_lists, base + WINDOW, active, &total);
        float bar = threshold(top);
        if ((float)total > bar) {
            /* Passages that only these lists hold come after all that are found: ties lose. */
            Py_ssize_t drivers = 0;
            double sum = 0;
            while (drivers < n_active && (float)(sum + active[drivers]->bound) <= bar)
                sum += active[drivers++]->bound;
            window(active, n_active, drivers, base, below_sum, sums, top, wide);
        }
        for (Py_ssize_t i = 0; i < n_lists; i++)
            if (lists[i].end > lists[i].pos) lists[i].pos = lists[i].end;
    }
}

static int by_rank(const void *a, const void *b) {
    const Found *x = a, *y = b;
    return below(*x, *y) ? 1 : below(*y, *x) ? -1 : 0;
}

/* What was found as two byte strings: ordinals and scores. */
static PyObject *found_bytes(const Top *top) {
    PyObject *result = NULL;
    PyObject *ordinals = PyBytes_FromStringAndSize(NULL, top->n * (Py_ssize_t)sizeof(uint32_t));
    PyObject *scores = PyBytes_FromStringAndSize(NULL, top->n * (Py_ssize_t)sizeof(float));
    if (ordinals && scores) {
        uint32_t *ordinal = (uint32_t *)PyBytes_AS_STRING(ordinals);
        float *score = (float *)PyBytes_AS_STRING(scores);
        for (Py_ssize_t i = 0; i < top->n; i++) {
            ordinal[i] = top->heap[i].doc;
            score[i] = top->heap[i].score;
        }
        result = PyTuple_Pack(2, ordinals, scores);
    }
    Py_XDECREF(ordinals);
    Py_XDECREF(scores);
    return result;
}

PyDoc_STRVAR(search_doc,
"search(numbers, starts, block_starts, docs, codes, wide, front_offsets, fronts, tables, live,\n"
"       k, floor)\n"
"-> (ordinals, scores) as bytes of uint32 and float32, best first. See kernel.py.");

static PyObject *search(PyObject *self, PyObject *args) {
    Py_buffer numbers, starts, block_starts, docs, codes, front_offsets, fronts, tables;
    Py_buffer live = {0};
    PyObject *live_object;
    int wide;
    Py_ssize_t k;
    float floor;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*py*y*y*Onf", &numbers, &starts, &block_starts, &docs,
                          &codes, &wide, &front_offsets, &fronts, &tables, &live_object, &k,
                          &floor))
        return NULL;
    PyObject *result = NULL;
    Py_ssize_t n_lists = numbers.len / (Py_ssize_t)sizeof(int64_t);
    Py_ssize_t width = n_lists ? tables.len / (Py_ssize_t)sizeof(float) / n_lists : 0;
    const int64_t *number = numbers.buf, *start = starts.buf, *block_start = block_starts.buf;
    const uint32_t *front_offset = front_offsets.buf;
    List *lists = NULL;
    List **active = NULL;
    double *below_sum = NULL, *sums = NULL;
    float *block_max = NULL;
    Found *heap = NULL;
    int64_t n_blocks = 0;
    if (live_object != Py_None && PyObject_GetBuffer(live_object, &live, PyBUF_SIMPLE) < 0) goto done;
    if (k <= 0 || n_lists == 0) {
        result = Py_BuildValue("y#y#", "", (Py_ssize_t)0, "", (Py_ssize_t)0);
        goto done;
    }
    for (Py_ssize_t i = 0; i < n_lists; i++)
        n_blocks += block_start[number[i] + 1] - block_start[number[i]];
    lists = calloc((size_t)n_lists, sizeof *lists);
    active = malloc((size_t)n_lists * sizeof *active);
    below_sum = malloc((size_t)(n_lists + 1) * sizeof *below_sum);
    sums = calloc(WINDOW, sizeof *sums);
    block_max = malloc((size_t)(n_blocks + 1) * sizeof *block_max);
    heap = malloc((size_t)k * sizeof *heap);
    if (!lists || !active || !below_sum || !sums || !block_max || !heap) {
        PyErr_NoMemory();
        goto done;
    }
    Top top = {heap, 0, k, floor, live.buf};
    Py_BEGIN_ALLOW_THREADS
    float *next_max = block_max;
    for (Py_ssize_t i = 0; i < n_lists; i++) {
        List *list = &lists[i];
        int64_t from = start[number[i]];
        list->docs = (const uint32_t *)docs.buf + from;
        list->codes = (const char *)codes.buf + from * (wide ? 4 : 2);
        list->n = start[number[i] + 1] - from;
        list->table = (const float *)tables.buf + i * width;
        list->block_max = next_max;
        for (int64_t b = block_start[number[i]]; b < block_start[number[i] + 1]; b++) {
            float most = 0;
            for (uint32_t f = front_offset[b]; f < front_offset[b + 1]; f++) {
                uint32_t code = wide ? ((const uint32_t *)fronts.buf)[f]
                                     : ((const uint16_t *)fronts.buf)[f];
                if (list->table[code] > most) most = list->table[code];
            }
            *next_max++ = most;
        }
    }
    walk(lists, n_lists, active, below_sum, sums, &top, wide);
    qsort(heap, (size_t)top.n, sizeof *heap, by_rank);
    Py_END_ALLOW_THREADS
    result = found_bytes(&top);
done:
    free(lists);
    free(active);
    free(below_sum);
    free(sums);
    free(block_max);
    free(heap);
    if (live.obj) PyBuffer_Release(&live);
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&block_starts);
    PyBuffer_Release(&docs);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&front_offsets);
    PyBuffer_Release(&fronts);
    PyBuffer_Release(&tables);
    return result;
}

/* One function for each kind of processor, chosen when the library is loaded. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define EACH_PROCESSOR __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define EACH_PROCESSOR
#endif

/* Products of an int8 row with an int16 query; d of them fit 32 bits by how the query is scaled. */
EACH_PROCESSOR
static void products(const int8_t *rows, int64_t n, int64_t d, const int16_t *query, int32_t *out) {
    for (int64_t row = 0; row < n; row++) {
        const int8_t *a = rows + row * d;
        int32_t sum = 0;
        for (int64_t i = 0; i < d; i++) sum += (int32_t)a[i] * (int32_t)query[i];
        out[row] = sum;
    }
}

PyDoc_STRVAR(nearest_doc,
"nearest(rows, factors, query, scale, live, first, last, k)\n"
"-> (ordinals, scores) as bytes of uint32 and float32, best first. See kernel.py.");

static PyObject *nearest(PyObject *self, PyObject *args) {
    Py_buffer rows, factors, query;
    Py_buffer live = {0};
    PyObject *live_object, *result = NULL;
    Py_ssize_t first, last, k;
    float scale;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*fOnnn", &rows, &factors, &query, &scale, &live_object,
                          &first, &last, &k))
        return NULL;
    Found *heap = NULL;
    Top top = {NULL, 0, k, 0, NULL};
    int64_t d = query.len / (Py_ssize_t)sizeof(int16_t);
    if (live_object != Py_None && PyObject_GetBuffer(live_object, &live, PyBUF_SIMPLE) < 0)
        goto done;
    heap = malloc((size_t)(k > 0 ? k : 1) * sizeof *heap);
    if (!heap) {
        PyErr_NoMemory();
        goto done;
    }
    top.heap = heap;
    const uint8_t *alive = live.buf;
    const float *factor = factors.buf;
    Py_BEGIN_ALLOW_THREADS
    int32_t sums[256];
    for (Py_ssize_t at = first; k > 0 && at < last; at += 256) {
        Py_ssize_t n = last - at < 256 ? last - at : 256;
        products((const int8_t *)rows.buf + at * d, n, d, query.buf, sums);
        for (Py_ssize_t i = 0; i < n; i++) {
            float score = (float)sums[i] * factor[at + i] * scale;
            if (factor[at + i] > 0 && (!alive || alive[at + i]) &&
                (top.n < k || score > heap[0].score))
                push(heap, &top.n, k, (Found){score, (uint32_t)(at + i)});
        }
    }
    qsort(heap, (size_t)top.n, sizeof *heap, by_rank);
    Py_END_ALLOW_THREADS
    result = found_bytes(&top);
done:
    free(heap);
    if (live.obj) PyBuffer_Release(&live);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&query);
    return result;
}

PyDoc_STRVAR(find_doc, "find(blob, offsets, key) -> index of key among the sorted keys, or -1.");

static PyObject *find(PyObject *self, PyObject *args) {
    Py_buffer blob, offsets, key;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*", &blob, &offsets, &key)) return NULL;
    const int64_t *offset = offsets.buf;
    int64_t low = 0, n = offsets.len / (Py_ssize_t)sizeof(int64_t) - 1, high = n;
    int64_t found = -1;
    while (low < high) {
        int64_t middle = low + ((high - low) >> 1);
        size_t length = (size_t)(offset[middle + 1] - offset[middle]);
        size_t shared = length < (size_t)key.len ? length : (size_t)key.len;
        int order = memcmp((const char *)blob.buf + offset[middle], key.buf, shared);
        if (order == 0) order = (length > (size_t)key.len) - (length < (size_t)key.len);
        if (order == 0) {
            found = middle;
            break;
        }
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    PyBuffer_Release(&blob);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&key);
    return PyLong_FromLongLong(found);
}

static PyMethodDef methods[] = {
    {"search", search, METH_VARARGS, search_doc},
    {"nearest", nearest, METH_VARARGS, nearest_doc},
    {"find", find, METH_VARARGS, find_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_kernel", "Compiled postings kernel; see kernel.py.", 0, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModule_Create(&module); }
