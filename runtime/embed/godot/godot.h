/* Classes for Godot 4.3 and later, told as tables: what a class has, and the values that cross.
 * gdextension_interface.h is the engine's own, as `godot --dump-gdextension-interface` of 4.6.3 writes it. */
#ifndef THRONG_GODOT_H
#define THRONG_GODOT_H

#include <stdbool.h>
#include <stddef.h>

#include "gdextension_interface.h"

/* Types of arguments and results. As arguments and results of a body they are behind a pointer. */
typedef enum godot_type {
    GODOT_NOTHING = GDEXTENSION_VARIANT_TYPE_NIL,
    GODOT_BOOL = GDEXTENSION_VARIANT_TYPE_BOOL,                    /* uint8_t */
    GODOT_INT = GDEXTENSION_VARIANT_TYPE_INT,                      /* int64_t */
    GODOT_FLOAT = GDEXTENSION_VARIANT_TYPE_FLOAT,                  /* double */
    GODOT_STRING = GDEXTENSION_VARIANT_TYPE_STRING,                /* godot_value */
    GODOT_VECTOR2 = GDEXTENSION_VARIANT_TYPE_VECTOR2,              /* float[2] */
    GODOT_BYTES = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,      /* godot_value of uint8_t */
    GODOT_INTS = GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY,      /* godot_value of int64_t */
    GODOT_FLOATS = GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,  /* godot_value of float */
    GODOT_DOUBLES = GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY, /* godot_value of double */
    GODOT_STRINGS = GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY,  /* godot_value: godot_text_at */
    GODOT_VECTORS = GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY, /* godot_value of float[2] */
    GODOT_COLOURS = GDEXTENSION_VARIANT_TYPE_PACKED_COLOR_ARRAY,   /* godot_value of float[4] */
    GODOT_TYPES
} godot_type;

/* A String, an array, or any smaller value. */
typedef union godot_value {
    void *whole[2];
    int64_t number;
    double real;
} godot_value;

enum { GODOT_ARGUMENTS = 5 };

/* A method of a class: `body` gets the instance, [count] arguments and an initialised result. */
typedef struct godot_method {
    const char *name;
    void (*body)(void *instance, const void *const *arguments, void *result);
    godot_type result;
    int count;
    godot_type types[GODOT_ARGUMENTS];
    const char *names[GODOT_ARGUMENTS];
} godot_method;

typedef struct godot_class {
    const char *name, *parent;
    void *(*create)(void); /* an instance; NULL: no memory */
    void (*destroy)(void *instance);
    const godot_method *methods;
    int method_count;
} godot_class;

/* What the engine offers, once for all; false: it is too old. */
bool godot_begin(GDExtensionInterfaceGetProcAddress get);
void godot_register(GDExtensionClassLibraryPtr library, const godot_class *class);
void godot_unregister(GDExtensionClassLibraryPtr library, const godot_class *class);

/* An error in Godot's output and debugger. */
void godot_error(const char *text, const char *function);

/* UTF-8 of a String, to be freed; NULL: no memory. */
char *godot_text(const void *string);
void godot_set_text(void *string, const char *text, size_t size);

/* An array's elements. */
int64_t godot_size(godot_type type, const void *array);
const void *godot_elements(godot_type type, const void *array); /* NULL: it has none */
char *godot_text_at(const void *strings, int64_t i);            /* of GODOT_STRINGS, to be freed */
/* Makes it so long, and gives its elements to be written. NULL: it has none, or there is no memory. */
void *godot_resize(godot_type type, void *array, int64_t size);

#endif
