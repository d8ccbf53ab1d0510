package io.middleware.engine.process;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.middleware.engine.api.task.PlainText;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the API server has warned of when an object was written: the header {@code Warning} of its
 * answers, as <a href="https://kubernetes.io/docs/reference/using-api/deprecation-guide/">kubectl
 * prints it</a>. Dry runs are left out.
 */
public final class ApiWarnings implements Interceptor {
  private static final String NAME = "api-warnings";

  /** Whoever has written an object asks at once. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private static final int MOST = 1000;
  private static final Pattern OBJECT =
      Pattern.compile(".*/namespaces/([^/]+)/([^/]+)/([^/]+)(?:/[^/]+)?");
  private static final Pattern WARNING =
      Pattern.compile("[0-9]{3} [^ ]+ \"((?:[^\"\\\\]|\\\\.)*)\"");

  private final Cache<Written, List<String>> said =
      CacheBuilder.newBuilder().maximumSize(MOST).expireAfterWrite(KEPT).build();

  private record Written(String namespace, String name) {}

  private ApiWarnings() {}

  /** Has a client keep them. */
  public static void keptBy(HttpClient.Builder http) {
    var warnings = new ApiWarnings();
    http.addOrReplaceInterceptor(NAME, warnings).tag(warnings);
  }

  /** Those of a client, and of all that are made from it; empty when it keeps none. */
  public static Optional<ApiWarnings> of(KubernetesClient client) {
    return client.getHttpClient() instanceof RequestTags tags
        ? Optional.ofNullable(tags.getTag(ApiWarnings.class))
        : Optional.empty();
  }

  /** What was said of objects of this name when they were written last; then it is forgotten. */
  public List<String> take(String namespace, String name) {
    return Optional.ofNullable(said.asMap().remove(new Written(namespace, name))).orElse(List.of());
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    var warnings = response.headers("Warning");
    if (!warnings.isEmpty() && !"GET".equals(request.method())) {
      keep(request.uri(), warnings);
    }
  }

  private void keep(URI uri, List<String> warnings) {
    var object = OBJECT.matcher(uri.getPath());
    if (object.matches() && (uri.getQuery() == null || !uri.getQuery().contains("dryRun="))) {
      said.put(
          new Written(object.group(1), object.group(3)),
          warnings.stream()
              .flatMap(header -> WARNING.matcher(header).results())
              .map(warning -> warning.group(1).replaceAll("\\\\(.)", "$1"))
              .map(PlainText::clean)
              .distinct()
              .toList());
    }
  }
}
