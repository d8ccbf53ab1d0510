package io.middleware.engine.api.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.LinkedHashMap;
import java.util.List;

/** The schemas of untyped content, as far as a structural schema can tell. */
final class Content {
  private static final String QUANTITY =
      "^[0-9]+(\\.[0-9]+)?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$";

  private Content() {}

  static void apply(UntypedContent content, JSONSchemaProps property) {
    switch (content.value()) {
      case SCALARS -> put(property, scalar(content.max(), 0));
      case VALUES -> put(property, scalar(content.max(), 2));
      case QUANTITIES -> put(property, quantity());
      case NAMES_OR_LISTS -> put(property, nameOrList(content.max()));
      case ANYTHING ->
          anything(property.getItems() == null ? property : property.getItems().getSchema());
      case KUBERNETES_OBJECT -> kubernetesObject(property);
    }
  }

  /** Unions of types are not structural: these limits leave room for scalars alone. */
  private static JSONSchemaProps scalar(long max, long fields) {
    return new JSONSchemaPropsBuilder()
        .withXKubernetesPreserveUnknownFields(true)
        .withMaxLength(max)
        .withMaxItems(0L)
        .withMaxProperties(fields)
        .build();
  }

  private static JSONSchemaProps nameOrList(long max) {
    return new JSONSchemaPropsBuilder()
        .withXKubernetesPreserveUnknownFields(true)
        .withMinLength(1L)
        .withMaxLength(63L)
        .withMaxItems(max)
        .withMaxProperties(0L)
        .build();
  }

  private static JSONSchemaProps quantity() {
    return new JSONSchemaPropsBuilder()
        .withXKubernetesIntOrString(true)
        .withPattern(QUANTITY)
        .withMaxLength(32L)
        .build();
  }

  private static void anything(JSONSchemaProps property) {
    property.setType("object");
    property.setAdditionalProperties(null);
    property.setXKubernetesPreserveUnknownFields(true);
  }

  private static void kubernetesObject(JSONSchemaProps property) {
    anything(property);
    property.setRequired(List.of("apiVersion", "kind"));
    var properties = new LinkedHashMap<String, JSONSchemaProps>();
    properties.put(
        "apiVersion", text("Group and version of the object, for example apps/v1.", 253));
    properties.put("kind", text("Kind of the object, for example StatefulSet.", 63));
    property.setProperties(properties);
  }

  private static JSONSchemaProps text(String description, long max) {
    return new JSONSchemaPropsBuilder()
        .withType("string")
        .withDescription(description)
        .withMinLength(1L)
        .withMaxLength(max)
        .build();
  }

  private static void put(JSONSchemaProps property, JSONSchemaProps content) {
    if (property.getItems() != null) {
      property.getItems().setSchema(content);
    } else if (property.getAdditionalProperties() != null) {
      property.setAdditionalProperties(new JSONSchemaPropsOrBool(null, content));
    } else {
      property.setType(null);
      property.setXKubernetesPreserveUnknownFields(true);
      property.setMaxLength(content.getMaxLength());
      property.setMaxItems(content.getMaxItems());
      property.setMaxProperties(content.getMaxProperties());
    }
  }
}
