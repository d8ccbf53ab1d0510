package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationTest {
  @TempDir Path folder;
  @TempDir Path java;
  @TempDir Path app;

  /** A Java that prints how it is called. */
  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectories(java.resolve("jmods"));
    Files.writeString(java.resolve("jmods/java.base.jmod"), "large");
    var program = Files.createDirectories(java.resolve("bin")).resolve("java");
    Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(app.resolve("libs"));
    Files.writeString(app.resolve("agent.jar"), "agent");
    Files.writeString(app.resolve("libs/a.jar"), "a");
    Files.writeString(app.resolve("start.jsa"), "classes");
  }

  @Test
  void shouldStartTheAgentFromWhereverItsFolderIs() throws Exception {
    // Given
    var installed = folder.resolve("installed");
    installation(installed, Path.of("/bin/sh")).run();
    installation(installed, Path.of("/bin/sh")).run();
    var moved = Files.move(installed, folder.resolve("moved to"));
    // When
    var started = output(moved.resolve("agent"), "install", "/else");
    // Then
    assertThat(started.lines())
        .containsExactly(
            "-XX:+UseSerialGC",
            "-XX:SharedArchiveFile=" + moved.resolve("app/start.jsa"),
            "-cp",
            moved.resolve("app/agent.jar") + ":" + moved.resolve("app/libs/a.jar"),
            AgentMain.class.getName(),
            "install",
            "/else");
    assertThat(moved.resolve("app/libs/a.jar")).hasContent("a");
    assertThat(Files.getLastModifiedTime(moved.resolve("app/libs/a.jar")))
        .isEqualTo(Files.getLastModifiedTime(app.resolve("libs/a.jar")));
    assertThat(moved.resolve("jre/jmods")).doesNotExist();
  }

  @Test
  void shouldSayThatAnImageHasNoGlibc() throws Exception {
    installation(folder, Path.of("/no/such/loader")).run();

    assertThat(output(folder.resolve("agent")))
        .contains("the agent cannot start in this image: its Java needs glibc")
        .contains("Debian");
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "install /a /b", "remove /a", "install "})
  void shouldRefuseOtherArguments(String arguments) {
    assertThatThrownBy(() -> Installation.requested(arguments.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use 'install FOLDER'");
  }

  private Installation installation(Path target, Path loader) {
    return new Installation(
        target,
        loader,
        java,
        List.of(app.resolve("agent.jar"), app.resolve("libs/a.jar")),
        List.of("-XX:+UseSerialGC", "-XX:SharedArchiveFile=" + app.resolve("start.jsa")));
  }

  private static String output(Path program, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
