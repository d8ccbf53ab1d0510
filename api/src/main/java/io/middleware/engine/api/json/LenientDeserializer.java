package io.middleware.engine.api.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a part of a Kubernetes object as null if it is not readable, and says why. */
final class LenientDeserializer extends DelegatingDeserializer {
  private static final long serialVersionUID = 1L;
  private static final int DEEPEST = 200;

  private final transient BiConsumer<HasMetadata, String> unreadable;

  LenientDeserializer(JsonDeserializer<?> strict, BiConsumer<HasMetadata, String> unreadable) {
    super(strict);
    this.unreadable = unreadable;
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> strict) {
    return new LenientDeserializer(strict, unreadable);
  }

  @Override
  public @Nullable Object deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    var place = place(parser);
    if (place == null || !(place.getCurrentValue() instanceof HasMetadata object)) {
      return super.deserialize(parser, context);
    }
    var field = place.getCurrentName();
    // the whole part is taken first: after a failure the parser is where the next part begins
    try (var part = context.bufferAsCopyOfValue(parser);
        var partParser = part.asParserOnFirstToken()) {
      refuseAbyss(part);
      return super.deserialize(partParser, context);
    } catch (JacksonException e) {
      unreadable.accept(object, reason(field, e));
      return null;
    }
  }

  /** What is read must be writable too, and the server takes far deeper nesting than writers do. */
  private static void refuseAbyss(TokenBuffer part) throws IOException {
    var depth = 0;
    try (var tokens = part.asParser()) {
      for (var token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth > DEEPEST) {
          throw new JsonMappingException(tokens, "nested more than " + DEEPEST + " levels deep");
        }
      }
    }
  }

  private static JsonStreamContext place(JsonParser parser) {
    var own = parser.getParsingContext();
    return parser.currentToken().isStructStart() ? own.getParent() : own;
  }

  private static String reason(String field, JacksonException e) {
    var path =
        e instanceof JsonMappingException mapping
            ? mapping.getPath().stream()
                .map(LenientDeserializer::step)
                .collect(Collectors.joining())
            : "";
    return field + path + ": " + e.getOriginalMessage();
  }

  private static String step(JsonMappingException.Reference reference) {
    return reference.getFieldName() == null
        ? "[" + reference.getIndex() + "]"
        : "." + reference.getFieldName();
  }
}
