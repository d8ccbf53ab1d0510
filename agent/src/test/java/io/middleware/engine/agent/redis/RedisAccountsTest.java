package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisAccountsTest {
  @TempDir private Path data;

  @Test
  void shouldForgetThatItWasClosedWhenItHasNoPasswords() throws IOException {
    // Given
    var note = Files.createFile(data.resolve(".closed-to-anonymous"));
    try (var servers = new RedisServers()) {
      var peers = new RealGroup.Fixed(List.of(), new AtomicInteger(1));
      var group = new RedisGroup(RealGroup.identity("db-0"), "127.0.0.1", 1, peers, servers);
      // When
      new RedisAccounts(group, Optional.of(data)).follow();
    }
    // Then
    assertThat(note).doesNotExist();
  }
}
