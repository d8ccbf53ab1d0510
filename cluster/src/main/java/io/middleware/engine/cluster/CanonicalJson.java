package io.middleware.engine.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** JSON as the API server writes it: keys sorted, and the characters of HTML escaped. */
public final class CanonicalJson {
  private static final ObjectMapper JSON = mapper();

  private CanonicalJson() {}

  public static String of(Map<?, ?> tree) {
    try {
      return JSON.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree cannot be written as JSON", e);
    }
  }

  private static ObjectMapper mapper() {
    var mapper =
        JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
    mapper.getFactory().setCharacterEscapes(new HtmlEscapes());
    return mapper;
  }

  private static final class HtmlEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    @Override
    public int[] getEscapeCodesForAscii() {
      var codes = standardAsciiEscapesForJSON();
      for (char character : new char[] {'<', '>', '&'}) {
        codes[character] = ESCAPE_STANDARD;
      }
      return codes;
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return character == 0x2028 || character == 0x2029
          ? new SerializedString("\\u%04x".formatted(character))
          : null;
    }
  }
}
