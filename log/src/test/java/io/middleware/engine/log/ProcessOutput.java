package io.middleware.engine.log;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a process writes, started on its own and without the classes and settings of tests. */
public final class ProcessOutput {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int FIRST_JAVA_WITH_NOTES_ABOUT_UNSAFE = 23;
  private static final Pattern OF_TESTS = Pattern.compile("test-classes|-tests\\.jar|surefire");

  private ProcessOutput() {}

  /**
   * Starts the process, and stops it when it has written the text. Each of its lines, also those of
   * its stop, must have the form of the log.
   *
   * @return the lines, as their fields
   */
  public static List<Map<String, Object>> until(
      String text, Class<?> main, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    var output = Files.createTempFile("process", ".log");
    var builder = new ProcessBuilder(command(main, arguments)).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    var process = builder.redirectOutput(output.toFile()).start();
    try {
      var deadline = System.nanoTime() + LONGEST.toNanos();
      while (!Files.readString(output).contains(text) && System.nanoTime() < deadline) {
        if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      assertThat(Files.readString(output)).contains(text);
      process.destroy();
      assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return lines(output);
  }

  /**
   * Checks what a process of the engine writes when it cannot start, as its address is taken: its
   * own lines, and those of libraries.
   *
   * @param address the option that sets the address
   */
  public static void checkFailedStart(Class<?> main, String address)
      throws IOException, InterruptedException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var socket = "127.0.0.1:" + taken.getLocalPort();
      var environment = Map.of("KUBECONFIG", "target/no-kubeconfig");
      var lines =
          until("cannot listen on", main, environment, "--log-libraries", "INFO", address, socket);
      assertThat(lines)
          .anySatisfy(
              line ->
                  assertThat(line)
                      .containsEntry("level", "ERROR")
                      .containsEntry("logger", "io.middleware.engine.process.StartUp"));
      assertThat(lines)
          .as("lines of libraries")
          .anySatisfy(
              line -> assertThat((String) line.get("logger")).doesNotStartWith("io.middleware"));
    }
  }

  private static List<String> command(Class<?> main, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= FIRST_JAVA_WITH_NOTES_ABOUT_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    // tests may have those of other processes on their class path as well
    command.add("-Dlogback.configurationFile=" + ProcessOutput.class.getResource("/logback.xml"));
    command.add("-cp");
    command.add(
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !OF_TESTS.matcher(entry).find())
            .collect(joining(File.pathSeparator)));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<Map<String, Object>> lines(Path output) throws IOException {
    var lines = new ArrayList<Map<String, Object>>();
    try (var written = Files.lines(output)) {
      for (var line : written.toList()) {
        assertThat(line).startsWith("{").endsWith("}");
        lines.add(MAPPER.readValue(line, new TypeReference<Map<String, Object>>() {}));
      }
    }
    assertThat(lines).isNotEmpty().allSatisfy(ProcessOutput::hasTheForm);
    return lines;
  }

  private static void hasTheForm(Map<String, Object> line) {
    assertThat(line).containsKeys("time", "level", "logger", "message");
    assertThat(Instant.parse((String) line.get("time"))).isBeforeOrEqualTo(Instant.now());
    assertThat((String) line.get("level")).isIn("ERROR", "WARN", "INFO", "DEBUG", "TRACE");
    assertThat(line.values()).noneMatch(value -> value instanceof List || value instanceof Map);
    assertThat(line.containsKey("error")).isEqualTo(line.containsKey("stack"));
  }
}
