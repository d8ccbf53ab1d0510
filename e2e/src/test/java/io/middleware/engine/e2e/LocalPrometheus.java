package io.middleware.engine.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Prometheus of the local environment, which scrapes the engine and each real Redis.
 *
 * @param url without a path
 */
public record LocalPrometheus(String url) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Starts it, with the exporter, if it does not run. */
  public static synchronized LocalPrometheus start() {
    Engine.dev("start", "prometheus");
    return new LocalPrometheus(Engine.variables().get("PROMETHEUS_URL"));
  }

  /** The health of each alert by its name: {@code ok} once it has been evaluated. */
  public Map<String, String> alerts() throws IOException {
    var answer = Engine.get(url + "/api/v1/rules");
    var healths = new TreeMap<String, String>();
    for (var group : JSON.readTree(answer.body()).path("data").path("groups")) {
      for (var rule : group.path("rules")) {
        healths.put(rule.path("name").asText(), rule.path("health").asText());
      }
    }
    return healths;
  }

  /** The values of an instant query by this label of each. */
  public Map<String, Double> query(String query, String label) throws IOException {
    var text = URLEncoder.encode(query, StandardCharsets.UTF_8);
    var answer = Engine.get(url + "/api/v1/query?query=" + text);
    var values = new TreeMap<String, Double>();
    for (var sample : JSON.readTree(answer.body()).path("data").path("result")) {
      values.put(
          sample.path("metric").path(label).asText(), sample.path("value").path(1).asDouble());
    }
    return values;
  }
}
