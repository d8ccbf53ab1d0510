package io.middleware.engine.render;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.ConnectionForm;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The Secrets of a group with what a client needs to connect to an endpoint, without the password:
 * they say where it is, and whoever writes them fills it in. None where no password is set.
 */
record ConnectionSecrets(ComponentType type, RenderContext context) {
  private static final ObjectKind SECRET = new ObjectKind("v1", "Secret");
  private static final String TYPE = "servicebinding.io/";

  List<Map<String, Object>> trees() {
    return password().isEmpty() ? List.of() : endpoints().stream().map(this::tree).toList();
  }

  /** The same objects; these Secrets say where the password is, which no template may. */
  RenderedObjects marked(RenderedObjects objects) {
    return password()
        .map(
            it ->
                endpoints().stream()
                    .collect(Collectors.toMap(this::secretName, endpoint -> marks(it))))
        .map(marks -> new ObjectMarks(SECRET, marks).on(objects))
        .orElse(objects);
  }

  /** The name of the Secret of an endpoint; empty when there is none. */
  Optional<String> name(Endpoint endpoint) {
    return password().map(it -> secretName(endpoint));
  }

  private Optional<ConnectionForm> form() {
    return Optional.ofNullable(type.connection());
  }

  private Optional<SecretReference> password() {
    return form().map(it -> context.extras().secrets().get(it.password()));
  }

  private List<Endpoint> endpoints() {
    return GroupContext.orEmpty(type.endpoints());
  }

  private Map<String, Object> tree(Endpoint endpoint) {
    var form = form().orElseThrow();
    var texts =
        Map.of(
            "type", form.type(),
            "provider", context.software().plugin().name(),
            "host", "%s.%s.svc".formatted(service(endpoint), context.subject().namespace()),
            "port", String.valueOf(endpoint.port()),
            "username", form.username());
    return Map.of(
        "apiVersion",
        SECRET.apiVersion(),
        "kind",
        SECRET.kind(),
        "metadata",
        Map.of("name", secretName(endpoint)),
        "type",
        TYPE + form.type(),
        "stringData",
        texts);
  }

  private Map<String, String> marks(SecretReference password) {
    var marks = new TreeMap<>(Map.of(Labels.PASSWORD_FROM, password.toString()));
    form().map(ConnectionForm::uri).ifPresent(uri -> marks.put(Labels.URI_FORM, uri));
    return marks;
  }

  /** No name of a group or a Service has a dot, so it is no other one's. */
  private String secretName(Endpoint endpoint) {
    return service(endpoint) + "." + form().orElseThrow().username();
  }

  private String service(Endpoint endpoint) {
    return EndpointServices.name(context, endpoint);
  }
}
