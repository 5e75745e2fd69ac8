/* The inner loops of elimination (field_eliminate.c, which includes this once for each kind of processor). Vectors are
 * of TILES_LANES doubles, TILES_ROWS of a group's rows are done at a time; the bits do not depend on either.
 *
 * `packed`: columns of own rows, FIELD_GROUP side by side, own row below own row, `deep` from one such panel to the
 * next. */
typedef double TILES(wide) __attribute__((vector_size(8 * TILES_LANES)));

/* Some columns of a group's rows, less their part in each of `count` own rows. `over`: 1 / their diagonals; `mine`:
 * what they have in the group's rows, packed. */
TILES_TARGET static void TILES(subtract)(double *to, int32_t stride, const double *mine, const double *over,
                                         const double *packed, int32_t deep, int32_t count, int32_t columns)
{
    typedef TILES(wide) wide;
    enum { ACROSS = FIELD_GROUP / TILES_LANES };
    _Alignas(64) double part[FIELD_BLOCK * FIELD_GROUP];
    for (int32_t p = 0; p < count; p++)
        for (int32_t i = p * FIELD_GROUP; i < (p + 1) * FIELD_GROUP; i += TILES_LANES)
            *(wide *)(part + i) = *(const wide *)(mine + i) * over[p];
    for (int32_t j = 0; j < columns; j += FIELD_GROUP, packed += deep * FIELD_GROUP)
        for (int32_t row = 0; row < FIELD_GROUP; row += TILES_ROWS) {
            double *tile = to + (int64_t)row * stride + j;
            wide sum[TILES_ROWS][ACROSS];
            for (int r = 0; r < TILES_ROWS; r++)
                for (int x = 0; x < ACROSS; x++)
                    sum[r][x] = *(const wide *)(tile + (int64_t)r * stride + x * TILES_LANES);
            for (int32_t p = 0; p < count; p++)
                for (int x = 0; x < ACROSS; x++) {
                    wide at = *(const wide *)(packed + p * FIELD_GROUP + x * TILES_LANES);
                    for (int r = 0; r < TILES_ROWS; r++)
                        sum[r][x] -= part[p * FIELD_GROUP + row + r] * at;
                }
            for (int r = 0; r < TILES_ROWS; r++)
                for (int x = 0; x < ACROSS; x++)
                    *(wide *)(tile + (int64_t)r * stride + x * TILES_LANES) = sum[r][x];
        }
}

/* Some columns of a group of own rows, less their part in those before them in the group: part[p][i] of row i in p.
 * Packs them. */
TILES_TARGET static void TILES(reduce)(double *rows, int32_t stride, double (*part)[FIELD_GROUP], double *packed,
                                       int32_t deep, int32_t columns)
{
    typedef TILES(wide) wide;
    for (int32_t j = 0; j < columns; j += FIELD_GROUP, packed += deep * FIELD_GROUP)
        for (int32_t x = 0; x < FIELD_GROUP; x += TILES_LANES) {
            wide row[FIELD_GROUP];
            for (int i = 0; i < FIELD_GROUP; i++) {
                wide *at = (wide *)(rows + (int64_t)i * stride + j + x);
                row[i] = *at;
                for (int p = 0; p < i; p++)
                    row[i] -= part[p][i] * row[p];
                *at = *(wide *)(packed + i * FIELD_GROUP + x) = row[i];
            }
        }
}

#undef TILES
#undef TILES_LANES
#undef TILES_ROWS
#undef TILES_TARGET
