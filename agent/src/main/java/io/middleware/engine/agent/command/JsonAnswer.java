package io.middleware.engine.agent.command;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a server answers in JSON, as expressions read it. Fields that are null are absent. */
final class JsonAnswer {
  private JsonAnswer() {}

  /** The text itself when it is no JSON. */
  static Object in(String text) {
    try {
      var value = text.isBlank() ? null : value(JsonParser.parseString(text));
      return value == null ? text : value;
    } catch (JsonParseException e) {
      return text;
    }
  }

  private static Object value(JsonElement element) {
    return switch (element) {
      case JsonObject object -> object(object);
      case JsonArray array -> array(array);
      case JsonPrimitive primitive -> primitive(primitive);
      default -> null;
    };
  }

  private static Map<String, Object> object(JsonObject object) {
    Map<String, Object> fields = new TreeMap<>();
    object
        .asMap()
        .forEach(
            (name, element) -> {
              var value = value(element);
              if (value != null) {
                fields.put(name, value);
              }
            });
    return fields;
  }

  private static List<Object> array(JsonArray array) {
    List<Object> items = new ArrayList<>();
    array.forEach(
        element -> {
          var value = value(element);
          if (value != null) {
            items.add(value);
          }
        });
    return items;
  }

  private static Object primitive(JsonPrimitive primitive) {
    if (primitive.isNumber()) {
      var number = primitive.getAsDouble();
      return number == Math.rint(number) && Math.abs(number) < 1L << 53
          ? (Object) primitive.getAsLong()
          : (Object) number;
    }
    return primitive.isBoolean() ? (Object) primitive.getAsBoolean() : primitive.getAsString();
  }
}
