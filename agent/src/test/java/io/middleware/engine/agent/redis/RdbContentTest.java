package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdbContentTest {
  private static final String MARK = "0123456789012345678901234567890123456789";

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 39, 40, 41, 1000})
  void shouldEndAtTheMark(int bytesPerPacket) throws IOException {
    var text = "REDIS" + "0".repeat(200_000) + MARK.substring(0, 39);

    assertThat(read("$EOF:" + MARK, packets(text + MARK, bytesPerPacket))).isEqualTo(text);
    assertThat(read("$EOF:" + MARK, packets(MARK, bytesPerPacket))).isEmpty();
  }

  @Test
  void shouldEndAtTheSize() throws IOException {
    assertThat(read("$5", packets("REDIS and more", 3))).isEqualTo("REDIS");
  }

  @Test
  void shouldNoticeThatTheConnectionEndsTooEarly() {
    assertThatThrownBy(() -> read("$EOF:" + MARK, packets("REDIS" + MARK.substring(1), 9)))
        .hasMessage("the connection ended before the end of the data");
    assertThatThrownBy(() -> read("$6", packets("REDIS", 9)))
        .hasMessage("the connection ended 1 bytes too early");
  }

  private static String read(String header, InputStream received) throws IOException {
    var content = RdbContent.after(header, received);
    var all = new ByteArrayOutputStream();
    var buffer = new byte[4096];
    for (var n = content.read(buffer, 0, 4096); n >= 0; n = content.read(buffer, 0, 4096)) {
      all.write(buffer, 0, n);
    }
    return all.toString(US_ASCII);
  }

  private static InputStream packets(String text, int bytes) {
    return new ByteArrayInputStream(text.getBytes(US_ASCII)) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, bytes));
      }
    };
  }
}
