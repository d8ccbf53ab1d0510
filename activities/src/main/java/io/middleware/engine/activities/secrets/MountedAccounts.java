package io.middleware.engine.activities.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Fills the passwords of accounts into the Secret that the pods of a group mount. */
public record MountedAccounts(AppSecrets secrets) {

  /** The object as it is written: any other one is as it was. */
  public RenderedObject in(App app, RenderedObject object) {
    return RenderedAnnotations.of(object, Labels.ACCOUNTS_FROM)
        .map(from -> filled(app, object, from))
        .orElse(object);
  }

  private RenderedObject filled(App app, RenderedObject object, String from) {
    Map<String, Object> data = new LinkedHashMap<>();
    if (object.tree().get("data") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> data.put(String.valueOf(key), value));
    }
    for (var account : from.split(" ")) {
      var parts = account.split("=", 2);
      password(app, parts[1]).ifPresent(password -> data.put(parts[0], password));
    }
    Map<String, Object> tree = new LinkedHashMap<>(object.tree());
    tree.put("data", data);
    return new RenderedObject(object.kind(), object.name(), tree);
  }

  private Optional<String> password(App app, String from) {
    return SecretReference.parse(from)
        .flatMap(at -> secrets.value(app, at.name(), at.key()))
        .map(it -> Base64.getEncoder().encodeToString(it.withoutLineBreaks().getBytes(UTF_8)));
  }
}
