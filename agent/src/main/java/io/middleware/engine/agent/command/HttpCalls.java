package io.middleware.engine.agent.command;

import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.Map;

/** Compiles the files with requests once, and sends all of them with one client. Thread-safe. */
final class HttpCalls {
  private static final int KEPT = 64;

  /** By the text of the file, which may change. */
  private final Map<String, HttpRequestFile> compiled =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, HttpRequestFile> eldest) {
          return size() > KEPT;
        }
      };

  private final CommandPlace place;
  private HttpClient client;

  /**
   * @param place where requests go
   */
  HttpCalls(CommandPlace place) {
    this.place = place;
  }

  /**
   * FAILED_PRECONDITION when the file is not valid.
   *
   * @param name of what is asked
   * @param text of the file
   */
  synchronized HttpCall call(String name, String text) {
    if (client == null) {
      client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
    return new HttpCall(
        name,
        compiled.computeIfAbsent(text, it -> HttpRequestFile.of(name, it).at(place.address())),
        place.environment(),
        client);
  }
}
