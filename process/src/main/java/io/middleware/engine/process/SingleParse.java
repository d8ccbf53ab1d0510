package io.middleware.engine.process;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;

/**
 * Has the API server parse the body of an apply or a patch once. By default it does so a second
 * time, strictly, for warnings of unknown fields that nobody would read ({@code fieldValidation},
 * see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation">Field
 * validation</a>). Unknown fields of the cluster's own kinds are refused in any case.
 */
final class SingleParse implements Interceptor {
  static final String NAME = "single-parse";

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if ("PATCH".equals(request.method())) {
      var uri = request.uri().toString();
      builder.uri(URI.create(uri + (uri.contains("?") ? "&" : "?") + "fieldValidation=Ignore"));
    }
  }
}
