package io.middleware.engine.activities.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.secrets.SecretText;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.guard.RenderedObject;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rendered Secret with what a client needs to connect, without the password.
 *
 * @param password where it is
 */
public record ConnectionSecret(RenderedObject rendered, SecretReference password) {
  private static final String PASSWORD = "password";
  private static final String URI = "uri";

  /** In both Secrets. */
  static final String AUTHORITY = "ca.crt";

  /** Empty when it is another object. */
  public static Optional<ConnectionSecret> of(RenderedObject object) {
    return RenderedAnnotations.of(object, Labels.PASSWORD_FROM)
        .flatMap(SecretReference::parse)
        .map(password -> new ConnectionSecret(object, password));
  }

  /** The name of the Secret with whom clients trust; empty where they use no TLS. */
  Optional<String> authority() {
    return RenderedAnnotations.of(rendered, Labels.AUTHORITY_FROM);
  }

  /**
   * The Secret as it is written.
   *
   * @param authority whom clients trust; empty when they use no TLS, or know it anyhow
   */
  RenderedObject with(SecretText password, Optional<SecretText> authority) {
    Map<String, String> texts = new LinkedHashMap<>();
    map(rendered.tree().get("data")).forEach((key, text) -> texts.put(key, decoded(text)));
    texts.put(PASSWORD, password.withoutLineBreaks());
    RenderedAnnotations.of(rendered, Labels.URI_FORM)
        .ifPresent(form -> texts.put(URI, filled(form, texts)));
    authority.ifPresent(it -> texts.put(AUTHORITY, it.text()));
    Map<String, Object> data = new LinkedHashMap<>();
    texts.forEach((key, text) -> data.put(key, encoded(text)));
    Map<String, Object> tree = new LinkedHashMap<>(rendered.tree());
    tree.put("data", data);
    return new RenderedObject(rendered.kind(), rendered.name(), tree);
  }

  /** Of the Secret as it is written. */
  static Set<String> keys(RenderedObject secret) {
    return map(secret.tree().get("data")).keySet();
  }

  private static String filled(String form, Map<String, String> texts) {
    var uri = form;
    for (var text : texts.entrySet()) {
      uri = uri.replace("{" + text.getKey() + "}", escaped(text.getValue()));
    }
    return uri;
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private static Map<String, String> map(@Nullable Object value) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> fields) {
      fields.forEach((name, text) -> texts.put(String.valueOf(name), String.valueOf(text)));
    }
    return texts;
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
