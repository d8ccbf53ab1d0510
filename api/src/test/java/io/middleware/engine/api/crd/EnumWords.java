package io.middleware.engine.api.crd;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.List;

/** The words of an enum as users write them, in the order of its constants. */
final class EnumWords {
  private EnumWords() {}

  static List<JsonNode> of(Class<?> type) {
    return Arrays.stream(type.getFields())
        .filter(java.lang.reflect.Field::isEnumConstant)
        .map(constant -> constant.getAnnotation(JsonProperty.class).value())
        .<JsonNode>map(TextNode::valueOf)
        .toList();
  }
}
