package io.middleware.engine.render;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.ConnectionForm;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The Secrets of a group with what a client needs to connect to an endpoint by an account, without
 * the password: they say where it is, and whoever writes them fills it in. None where no password
 * is set.
 *
 * @param endpoints of the group
 * @param more accounts that the App asks for
 */
record ConnectionSecrets(
    ComponentType type, RenderContext context, List<Endpoint> endpoints, List<GroupAccount> more) {
  static final ObjectKind SECRET = new ObjectKind("v1", "Secret");
  private static final String TYPE = "servicebinding.io/";

  List<Map<String, Object>> trees() {
    return connections().map(this::tree).toList();
  }

  /** The same objects; these Secrets say where the password is, which no template may. */
  RenderedObjects marked(RenderedObjects objects) {
    var marks = new HashMap<String, Map<String, String>>();
    connections().forEach(it -> marks.put(it.secret(context), marks(it)));
    return new ObjectMarks(SECRET, marks).on(objects);
  }

  /** The name of the Secret of an endpoint, for the account of the Plugin; empty without one. */
  Optional<String> name(Endpoint endpoint) {
    return own().map(it -> new Connection(endpoint, it.username(), it.password()).secret(context));
  }

  private record Login(String username, SecretReference password) {}

  private record Connection(Endpoint endpoint, String username, SecretReference password) {
    /** No name of a group or a Service has a dot, so it is no other one's. */
    String secret(RenderContext context) {
      return EndpointServices.name(context, endpoint) + "." + username;
    }
  }

  private Stream<Connection> connections() {
    var logins =
        Stream.concat(own().stream(), more.stream().map(it -> new Login(it.name(), it.password())))
            .toList();
    return form().isEmpty()
        ? Stream.empty()
        : endpoints.stream()
            .flatMap(
                endpoint ->
                    logins.stream()
                        .map(it -> new Connection(endpoint, it.username(), it.password())));
  }

  private Optional<ConnectionForm> form() {
    return Optional.ofNullable(type.connection());
  }

  private Optional<Login> own() {
    return form()
        .flatMap(
            form ->
                Optional.ofNullable(context.extras().secrets().get(form.password()))
                    .map(password -> new Login(form.username(), password)));
  }

  private Map<String, Object> tree(Connection connection) {
    var form = form().orElseThrow();
    var endpoint = connection.endpoint();
    var service = EndpointServices.name(context, endpoint);
    var texts =
        Map.of(
            "type", form.type(),
            "provider", context.software().plugin().name(),
            "host", "%s.%s.svc".formatted(service, context.subject().namespace()),
            "port", String.valueOf(endpoint.port()),
            "username", connection.username());
    return secret(connection.secret(context), TYPE + form.type(), texts);
  }

  static Map<String, Object> secret(String name, String type, Map<String, String> texts) {
    return Map.of(
        "apiVersion",
        SECRET.apiVersion(),
        "kind",
        SECRET.kind(),
        "metadata",
        Map.of("name", name),
        "type",
        type,
        "stringData",
        texts);
  }

  private Map<String, String> marks(Connection connection) {
    var marks = new TreeMap<>(Map.of(Labels.PASSWORD_FROM, connection.password().toString()));
    var tls = connection.endpoint().tls();
    form()
        .map(form -> tls == null ? form.uri() : form.tlsUri())
        .ifPresent(uri -> marks.put(Labels.URI_FORM, uri));
    if (tls != null) {
      marks.put(Labels.AUTHORITY_FROM, certificate(tls).name());
    }
    return marks;
  }

  private SecretReference certificate(String parameter) {
    return requireNonNull(context.extras().secrets().get(parameter), parameter);
  }
}
