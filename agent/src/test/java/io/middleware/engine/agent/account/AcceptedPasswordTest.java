package io.middleware.engine.agent.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceptedPasswordTest {
  @TempDir private Path folder;

  @Test
  void shouldKeepOneOfSeveralThatComeAtOnce() {
    var accepted = new AcceptedPassword(Optional.of(folder));
    IntStream.range(0, 500)
        .parallel()
        .forEach(number -> accepted.put(new Password("password " + number)));
    assertThat(new AcceptedPassword(Optional.of(folder)).get()).isEqualTo(accepted.get());
  }
}
