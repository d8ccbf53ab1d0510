package io.middleware.engine.api.crd;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.UntypedContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.stream.Stream;

/** Carries over to a generated schema what our own annotations say, record by record. */
final class SchemaFinish {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SchemaFinish() {}

  /** Finishes the schema of this record and of all below it. */
  static void finish(JSONSchemaProps schema, Class<?> type) {
    dedupeRules(schema);
    describe(schema, type);
    var asDeclared = new LinkedHashMap<String, JSONSchemaProps>();
    for (var component : type.getRecordComponents()) {
      var name = jsonName(component);
      asDeclared.put(name, finished(schema.getProperties().get(name), component));
    }
    schema.setProperties(asDeclared);
  }

  /** Removes all rules at and below the schema. */
  static void dropRules(JSONSchemaProps schema) {
    schema.setXKubernetesValidations(null);
    Optional.ofNullable(schema.getProperties())
        .ifPresent(properties -> properties.values().forEach(SchemaFinish::dropRules));
    if (below(schema) != schema) {
      dropRules(below(schema));
    }
  }

  /** The description of a type goes where its use has none. */
  static void describe(JSONSchemaProps schema, Class<?> type) {
    var description = type.getAnnotation(JsonClassDescription.class);
    if (description != null && schema.getDescription() == null) {
      schema.setDescription(description.value());
    }
  }

  private static JSONSchemaProps finished(JSONSchemaProps property, RecordComponent component) {
    var element = element(component.getGenericType());
    if (element == Condition.class) {
      return conditions(property.getDescription());
    }
    apply(component, property);
    if (element instanceof Class<?> type && type.isEnum()) {
      below(property).setEnum(new ArrayList<>(EnumWords.of(type)));
    }
    if (element instanceof Class<?> type && type.isRecord()) {
      finish(below(property), type);
    }
    return property;
  }

  private static void apply(RecordComponent component, JSONSchemaProps property) {
    annotation(component, OneOf.class)
        .ifPresent(
            words ->
                below(property)
                    .setEnum(
                        new ArrayList<>(
                            Arrays.stream(words.value()).map(TextNode::valueOf).toList())));
    annotation(component, ListKey.class).ifPresent(key -> listMap(property, key.value()));
    annotation(component, UntypedContent.class)
        .ifPresent(content -> Content.apply(content, property));
  }

  private static <A extends java.lang.annotation.Annotation> Optional<A> annotation(
      RecordComponent component, Class<A> type) {
    return Optional.ofNullable(component.getAnnotation(type));
  }

  private static void listMap(JSONSchemaProps list, String key) {
    list.setXKubernetesListType("map");
    list.setXKubernetesListMapKeys(new ArrayList<>(Stream.of(key).toList()));
    var element = list.getItems().getSchema();
    if (!element.getRequired().contains(key)) {
      element.getRequired().addFirst(key);
    }
  }

  /** The schema of a list's elements or a map's values, else the schema itself. */
  static JSONSchemaProps below(JSONSchemaProps property) {
    if (property.getItems() != null) {
      return property.getItems().getSchema();
    }
    return Optional.ofNullable(property.getAdditionalProperties())
        .map(JSONSchemaPropsOrBool::getSchema)
        .orElse(property);
  }

  private static Type element(Type type) {
    return type instanceof ParameterizedType generic
        ? Arrays.asList(generic.getActualTypeArguments()).getLast()
        : type;
  }

  private static String jsonName(RecordComponent component) {
    var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
    return renamed == null ? component.getName() : renamed.value();
  }

  private static void dedupeRules(JSONSchemaProps schema) {
    if (schema.getXKubernetesValidations() != null) {
      schema.setXKubernetesValidations(
          new ArrayList<>(new LinkedHashSet<>(schema.getXKubernetesValidations())));
    }
  }

  private static JSONSchemaProps conditions(String description) {
    try (var json = SchemaFinish.class.getResourceAsStream("/crd/conditions.json")) {
      var conditions = MAPPER.readValue(json, JSONSchemaProps.class);
      conditions.setDescription(description);
      return conditions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
