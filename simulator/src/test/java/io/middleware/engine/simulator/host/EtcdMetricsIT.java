package io.middleware.engine.simulator.host;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the alerts and the dashboard of etcd ask for, a real etcd says. */
@Proves(
    plugin = "etcd",
    versions = {"etcd 3.6", "etcd 3.7"},
    what = "Members have the metrics that alerts and dashboard ask for.")
class EtcdMetricsIT {
  private static final String CLIENT = "http://%s:2379".formatted(LocalRedis.address(6, 1));
  private static final String PEER = "http://%s:2380".formatted(LocalRedis.address(6, 1));
  private static final HttpRequest METRICS =
      HttpRequest.newBuilder(URI.create(CLIENT + "/metrics")).build();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"etcd-3.6-v", "etcd-3.7-v"})
  void shouldAskForWhatAMemberSays(String version) throws Exception {
    // Given
    var files = MonitoringFiles.of("etcd");
    var member = start(LocalEtcd.folder(version));
    // Then
    try (var http = HttpClient.newHttpClient()) {
      await()
          .atMost(LocalRedis.PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class) // it has just been started
          .untilAsserted(
              () -> files.assertAskForWhatIsIn(http.send(METRICS, BodyHandlers.ofString()).body()));
    } finally {
      member.destroyForcibly().onExit().join();
    }
  }

  @Test
  void shouldSayForEachAlertWhatToDo() throws IOException {
    MonitoringFiles.of("etcd").assertHaveARunbook();
  }

  private Process start(Path programs) throws IOException {
    return new ProcessBuilder(
            programs.resolve("etcd").toString(),
            "--data-dir=" + folder.resolve("data"),
            "--listen-client-urls=" + CLIENT,
            "--advertise-client-urls=" + CLIENT,
            "--listen-peer-urls=" + PEER,
            "--initial-advertise-peer-urls=" + PEER,
            "--initial-cluster=default=" + PEER)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.DISCARD)
        .start();
  }
}
