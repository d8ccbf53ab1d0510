package io.middleware.engine.simulator.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** The exporter of Redis' metrics that {@code dev/start prometheus} provides. */
record LocalExporter(Process process, String address) implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Skips the test without an exporter. */
  static LocalExporter start(String host) throws IOException {
    return start(host, Map.of());
  }

  /**
   * @param environment as the Plugin gives it to the exporter
   */
  static LocalExporter start(String host, Map<String, String> environment) throws IOException {
    var address = host + ":9121";
    var program = LocalRuntime.exporter();
    assumeTrue(program.isPresent(), "there is no redis_exporter: dev/start prometheus fetches one");
    var builder =
        new ProcessBuilder(
                program.get().toString(), "--redis.addr=", "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD);
    builder.environment().putAll(environment);
    return new LocalExporter(builder.start(), address);
  }

  /** What it says of the server at this address. */
  String scrape(String host, int port) throws IOException, InterruptedException {
    var url = "http://%s/scrape?target=redis://%s:%d".formatted(address, host, port);
    return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
