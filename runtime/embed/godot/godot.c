/* Classes told as tables, for Godot's extension interface. */
#include "godot.h"

#include <stdlib.h>
#include <string.h>

typedef struct array_functions {
    GDExtensionPtrBuiltInMethod size, resize;
    void *(*at)(void *array, GDExtensionInt i);
    const void *(*at_const)(const void *array, GDExtensionInt i);
} array_functions;

static struct {
    GDExtensionInterfaceGetVariantFromTypeConstructor to_variant;
    GDExtensionInterfaceGetVariantToTypeConstructor from_variant;
    GDExtensionInterfaceVariantGetType type_of;
    GDExtensionInterfaceVariantCanConvertStrict can_convert;
    GDExtensionInterfaceVariantGetPtrConstructor constructor;
    GDExtensionInterfaceVariantGetPtrDestructor destructor;
    GDExtensionInterfaceVariantGetPtrBuiltinMethod builtin;
    GDExtensionInterfaceStringNameNewWithUtf8Chars name_new;
    GDExtensionInterfaceStringNewWithUtf8CharsAndLen text_new;
    GDExtensionInterfaceStringToUtf8Chars text_read;
    GDExtensionInterfaceClassdbRegisterExtensionClass3 register_class;
    GDExtensionInterfaceClassdbUnregisterExtensionClass unregister_class;
    GDExtensionInterfaceClassdbRegisterExtensionClassMethod register_method;
    GDExtensionInterfaceClassdbConstructObject construct;
    GDExtensionInterfaceObjectSetInstance set_instance;
    GDExtensionInterfacePrintErrorWithMessage print_error;
    GDExtensionPtrDestructor end_name, end_text;
    array_functions arrays[GODOT_TYPES];
} engine;

/* ---- names and texts */

typedef struct name {
    void *whole;
} name;

static name name_of(const char *text)
{
    name made;
    engine.name_new(&made, text);
    return made;
}

char *godot_text(const void *string)
{
    GDExtensionInt size = engine.text_read(string, NULL, 0);
    char *text = malloc((size_t)size + 1);
    if (text) {
        engine.text_read(string, text, size);
        text[size] = 0;
    }
    return text;
}

void godot_set_text(void *string, const char *text, size_t size)
{
    engine.end_text(string);
    engine.text_new(string, text, (GDExtensionInt)size);
}

void godot_error(const char *text, const char *function)
{
    engine.print_error(text, text, function, "throng", 0, false);
}

/* ---- arrays */

int64_t godot_size(godot_type type, const void *array)
{
    int64_t size = 0;
    engine.arrays[type].size((void *)(uintptr_t)array, NULL, &size, 0);
    return size;
}

const void *godot_elements(godot_type type, const void *array)
{
    return godot_size(type, array) ? engine.arrays[type].at_const(array, 0) : NULL;
}

char *godot_text_at(const void *strings, int64_t i)
{
    return godot_text(engine.arrays[GODOT_STRINGS].at_const(strings, i));
}

void *godot_resize(godot_type type, void *array, int64_t size)
{
    int64_t result;
    engine.arrays[type].resize(array, (const void *[]){&size}, &result, 1);
    return result == 0 && size ? engine.arrays[type].at(array, 0) : NULL;
}

/* ---- calls */

static void end_value(godot_type type, void *value)
{
    GDExtensionPtrDestructor end = engine.destructor((GDExtensionVariantType)type);
    if (end)
        end(value);
}

/* By GDScript that does not know the types: they come as Variants. */
static void call(void *userdata, GDExtensionClassInstancePtr instance, const GDExtensionConstVariantPtr *given,
                 GDExtensionInt count, GDExtensionVariantPtr returned, GDExtensionCallError *error)
{
    const godot_method *method = userdata;
    godot_value values[GODOT_ARGUMENTS], result;
    const void *arguments[GODOT_ARGUMENTS];
    if (count != method->count) {
        *error = (GDExtensionCallError){count < method->count ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                                                              : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS,
                                        0, method->count};
        return;
    }
    for (int i = 0; i < method->count; i++)
        if (!engine.can_convert(engine.type_of(given[i]), (GDExtensionVariantType)method->types[i])) {
            *error = (GDExtensionCallError){GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, i, method->types[i]};
            return;
        }
    for (int i = 0; i < method->count; i++) {
        engine.from_variant((GDExtensionVariantType)method->types[i])(&values[i], (void *)(uintptr_t)given[i]);
        arguments[i] = &values[i];
    }
    if (method->result != GODOT_NOTHING)
        engine.constructor((GDExtensionVariantType)method->result, 0)(&result, NULL);
    method->body(instance, arguments, &result);
    if (method->result != GODOT_NOTHING) {
        engine.to_variant((GDExtensionVariantType)method->result)(returned, &result);
        end_value(method->result, &result);
    }
    for (int i = 0; i < method->count; i++)
        end_value(method->types[i], &values[i]);
    error->error = GDEXTENSION_CALL_OK;
}

/* By whoever knows the types. */
static void call_typed(void *userdata, GDExtensionClassInstancePtr instance, const GDExtensionConstTypePtr *arguments,
                       GDExtensionTypePtr result)
{
    const godot_method *method = userdata;
    method->body(instance, arguments, result);
}

/* ---- classes */

static GDExtensionObjectPtr create(void *userdata)
{
    const godot_class *class = userdata;
    void *instance = class->create();
    if (!instance)
        return NULL;
    name parent = name_of(class->parent), own = name_of(class->name);
    GDExtensionObjectPtr object = engine.construct(&parent);
    engine.set_instance(object, &own, instance);
    engine.end_name(&parent);
    engine.end_name(&own);
    return object;
}

static void destroy(void *userdata, GDExtensionClassInstancePtr instance)
{
    const godot_class *class = userdata;
    class->destroy(instance);
}

static void register_method(GDExtensionClassLibraryPtr library, name *class, const godot_method *method)
{
    name own = name_of(method->name), none = name_of(""), names[GODOT_ARGUMENTS];
    godot_value hint;
    engine.text_new(&hint, "", 0);
    GDExtensionPropertyInfo result = {(GDExtensionVariantType)method->result, &none, &none, 0, &hint, 6};
    GDExtensionPropertyInfo arguments[GODOT_ARGUMENTS];
    GDExtensionClassMethodArgumentMetadata metadata[GODOT_ARGUMENTS] = {GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
    for (int i = 0; i < method->count; i++) {
        names[i] = name_of(method->names[i]);
        arguments[i] =
            (GDExtensionPropertyInfo){(GDExtensionVariantType)method->types[i], &names[i], &none, 0, &hint, 6};
    }
    engine.register_method(library, class,
                           &(GDExtensionClassMethodInfo){.name = &own,
                                                         .method_userdata = (void *)(uintptr_t)method,
                                                         .call_func = call,
                                                         .ptrcall_func = call_typed,
                                                         .method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT,
                                                         .has_return_value = method->result != GODOT_NOTHING,
                                                         .return_value_info = &result,
                                                         .argument_count = (uint32_t)method->count,
                                                         .arguments_info = arguments,
                                                         .arguments_metadata = metadata});
    for (int i = 0; i < method->count; i++)
        engine.end_name(&names[i]);
    engine.end_text(&hint);
    engine.end_name(&none);
    engine.end_name(&own);
}

void godot_register(GDExtensionClassLibraryPtr library, const godot_class *class)
{
    name own = name_of(class->name), parent = name_of(class->parent);
    engine.register_class(library, &own, &parent,
                          &(GDExtensionClassCreationInfo3){.is_exposed = true,
                                                           .create_instance_func = create,
                                                           .free_instance_func = destroy,
                                                           .class_userdata = (void *)(uintptr_t) class});
    for (int i = 0; i < class->method_count; i++)
        register_method(library, &own, &class->methods[i]);
    engine.end_name(&parent);
    engine.end_name(&own);
}

void godot_unregister(GDExtensionClassLibraryPtr library, const godot_class *class)
{
    name own = name_of(class->name);
    engine.unregister_class(library, &own);
    engine.end_name(&own);
}

/* ---- the engine */

/* Its function of that name, into a pointer to it. */
static bool find(GDExtensionInterfaceGetProcAddress get, void *function, const char *name)
{
    GDExtensionInterfaceFunctionPtr found = get(name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* Methods that all arrays have; the numbers are those of Godot's extension_api.json, which stay. */
static bool find_array(GDExtensionInterfaceGetProcAddress get, godot_type type, const char *at, const char *at_const)
{
    array_functions *array = &engine.arrays[type];
    name size = name_of("size"), resize = name_of("resize");
    array->size = engine.builtin((GDExtensionVariantType)type, &size, 3173160232);
    array->resize = engine.builtin((GDExtensionVariantType)type, &resize, 848867239);
    engine.end_name(&size);
    engine.end_name(&resize);
    return array->size && array->resize && find(get, &array->at, at) && find(get, &array->at_const, at_const);
}

#define FIND_ARRAY(get, type, name)                                                                                    \
    find_array(get, type, "packed_" name "_array_operator_index", "packed_" name "_array_operator_index_const")

bool godot_begin(GDExtensionInterfaceGetProcAddress get)
{
    if (!find(get, &engine.print_error, "print_error_with_message") ||
        !find(get, &engine.register_class, "classdb_register_extension_class3") ||
        !find(get, &engine.unregister_class, "classdb_unregister_extension_class") ||
        !find(get, &engine.register_method, "classdb_register_extension_class_method") ||
        !find(get, &engine.construct, "classdb_construct_object") ||
        !find(get, &engine.set_instance, "object_set_instance") ||
        !find(get, &engine.to_variant, "get_variant_from_type_constructor") ||
        !find(get, &engine.from_variant, "get_variant_to_type_constructor") ||
        !find(get, &engine.type_of, "variant_get_type") ||
        !find(get, &engine.can_convert, "variant_can_convert_strict") ||
        !find(get, &engine.constructor, "variant_get_ptr_constructor") ||
        !find(get, &engine.destructor, "variant_get_ptr_destructor") ||
        !find(get, &engine.builtin, "variant_get_ptr_builtin_method") ||
        !find(get, &engine.name_new, "string_name_new_with_utf8_chars") ||
        !find(get, &engine.text_new, "string_new_with_utf8_chars_and_len") ||
        !find(get, &engine.text_read, "string_to_utf8_chars"))
        return false;
    engine.end_name = engine.destructor(GDEXTENSION_VARIANT_TYPE_STRING_NAME);
    engine.end_text = engine.destructor(GDEXTENSION_VARIANT_TYPE_STRING);
    return FIND_ARRAY(get, GODOT_BYTES, "byte") && FIND_ARRAY(get, GODOT_INTS, "int64") &&
           FIND_ARRAY(get, GODOT_FLOATS, "float32") && FIND_ARRAY(get, GODOT_DOUBLES, "float64") &&
           FIND_ARRAY(get, GODOT_STRINGS, "string") && FIND_ARRAY(get, GODOT_VECTORS, "vector2") &&
           FIND_ARRAY(get, GODOT_COLOURS, "color");
}
