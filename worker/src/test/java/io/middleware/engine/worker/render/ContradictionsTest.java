package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that the Redis Plugin allows each, and that cannot work together. */
class ContradictionsTest {
  private static final Path PLUGIN = Path.of("..", "plugins", "redis", "plugin.yaml");
  private static final String APP =
      """
      {apiVersion: middleware.io/v1, kind: App, metadata: {name: cache, namespace: shop},
       spec: {state: %s, plugin: {name: redis, version: 2.0.0}, runtime: {name: redis, version: "7.0"}, components: [
        {name: redis-nodes, type: redis, values: {%s}, groups: [{name: main, replicas: 3, storage: {size: 1Gi}%s}]},
        {name: sentinel, type: sentinel, values: {monitor: cache-redis-nodes-main, quorum: %d}, groups: [{name: all, replicas: 3}]}]}}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "4gb, 256Mi",
    "256mb, 256Mi",
    "268435456, 256Mi",
    "300000kb, 0.25Gi",
    "1gb, 1G",
    "2kb, 1024",
  })
  void shouldRefuseMemoryBeyondTheLimit(String memory, String limit) throws IOException {
    assertThat(render("Running", "maxmemory: \"%s\"".formatted(memory), limit(limit), 2))
        .contains("maxmemory must be less than the memory limit");
  }

  @ParameterizedTest
  @CsvSource({"255mb, 256Mi", "0, 256Mi", "4gb, 1Ti", "4gb, 4Ei", "128mb, 134217729"})
  void shouldTakeMemoryBelowTheLimit(String memory, String limit) throws IOException {
    assertThat(render("Running", "maxmemory: \"%s\"".formatted(memory), limit(limit), 2))
        .startsWith("accepted");
  }

  @Test
  void shouldTakeMemoryWithoutALimit() throws IOException {
    assertThat(render("Running", "maxmemory: 4gb", "", 3)).startsWith("accepted");
  }

  @Test
  void shouldRefuseAQuorumThatSentinelsCannotReach() throws IOException {
    assertThat(render("Running", "", "", 4))
        .startsWith(
            "InvalidSpec: spec.components[sentinel].groups[all]: quorum must be at most the replicas of the group");
  }

  /** Otherwise its start would be refused. */
  @Test
  void shouldRefuseItOfAStoppedApp() throws IOException {
    assertThat(render("Stopped", "", "", 4)).contains("quorum must be at most the replicas");
    assertThat(render("Stopped", "", "", 3)).startsWith("accepted");
  }

  @Test
  void shouldRefuseToWaitForMoreReplicasThanThereAre() throws IOException {
    assertThat(render("Running", "min-replicas-to-write: 3", "", 2))
        .contains("min-replicas-to-write must be less than the replicas");
  }

  private static String limit(String memory) {
    return ", resources: {limits: {memory: \"%s\"}}".formatted(memory);
  }

  /** What it says. */
  private String render(String state, String values, String resources, int quorum)
      throws IOException {
    var app = folder.resolve("app.yaml");
    Files.writeString(app, APP.formatted(state, values, resources, quorum));
    var said = new ByteArrayOutputStream();
    var out = new PrintStream(new ByteArrayOutputStream());
    new RenderCommand(out, new PrintStream(said)).run(List.of(PLUGIN.toString(), app.toString()));
    return said.toString(UTF_8);
  }
}
