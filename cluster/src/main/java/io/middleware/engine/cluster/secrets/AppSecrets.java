package io.middleware.engine.cluster.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.CanonicalJson;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.secrets.SecretContent.Found;
import io.middleware.engine.cluster.secrets.SecretContent.Missing;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The Secrets of an App's parameters. They are read and written as the App's service account: an
 * App can use no Secret that its account may not read. No value is logged or kept.
 */
public final class AppSecrets {
  private static final int MOST_ATTEMPTS = 5;

  private final ImpersonatedClients clients;

  public AppSecrets(ImpersonatedClients clients) {
    this.clients = clients;
  }

  /**
   * Whether there is a value under each of these keys, at least one, and which.
   *
   * @throws KubernetesClientException when the account may not read it, or nobody answers
   */
  public SecretContent content(App app, String name, String... keys) {
    var found = Optional.ofNullable(secret(app, name).get());
    return Stream.of(keys)
        .filter(key -> found.filter(secret -> hasValue(secret, key)).isEmpty())
        .findFirst()
        .<SecretContent>map(key -> new Missing(problem(app, name, key, found)))
        .orElseGet(() -> new Found(version(found.orElseThrow())));
  }

  /**
   * The value that there is now; empty when there is none, or it cannot be read.
   *
   * @return for the digest of a call to an agent
   */
  public Optional<SecretText> now(App app, String name, String key) {
    try {
      return Optional.ofNullable(secret(app, name).get())
          .filter(secret -> hasValue(secret, key))
          .map(secret -> text(secret, key));
    } catch (KubernetesClientException e) {
      return Optional.empty();
    }
  }

  /**
   * The value, to be written into another Secret of the App; empty when there is none, or the
   * Secret has another version by now.
   *
   * @throws io.temporal.failure.ApplicationFailure when it cannot be read
   */
  public Optional<SecretText> value(App app, String name, String key, String version) {
    return read(app, name)
        .filter(secret -> hasValue(secret, key) && version(secret).equals(version))
        .map(secret -> text(secret, key));
  }

  /**
   * The same in whichever version; empty when there is none.
   *
   * @throws io.temporal.failure.ApplicationFailure when it cannot be read
   */
  public Optional<SecretText> value(App app, String name, String key) {
    return read(app, name).filter(secret -> hasValue(secret, key)).map(secret -> text(secret, key));
  }

  /**
   * Keeps a value under this key, unless there is one already, and returns its version. May be
   * repeated: the first value that was written stays.
   *
   * @param value makes one
   * @throws io.temporal.failure.ApplicationFailure when the Secret cannot be written, or belongs to
   *     another App or to a group
   */
  public String keep(App app, String component, String name, String key, Supplier<String> value) {
    for (var attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var found = read(app, name);
      if (found.filter(secret -> hasValue(secret, key)).isPresent()) {
        requireOwn(app, found.get());
        return version(found.get());
      }
      var encoded = Base64.getEncoder().encodeToString(value.get().getBytes(UTF_8));
      var written =
          found.isPresent()
              ? add(app, found.get(), key, encoded)
              : create(app, component, name, key, encoded);
      if (written.isPresent()) {
        return version(written.get());
      }
    }
    throw contended(app, name);
  }

  /**
   * A Secret whose values are rotated.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it does not exist
   */
  public RotatedSecret rotated(App app, String name) {
    return read(app, name)
        .map(RotatedSecret::new)
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.INVALID,
                    "Secret %s does not exist: create it again, or edit the App, which makes it where it is generated"
                        .formatted(full(app, name))));
  }

  /**
   * Adds a next value under each of these keys that has none. May be repeated: the first value that
   * was added stays.
   *
   * @param value makes one for a key
   * @param operation that rotates them; nothing is added once it has published them
   */
  public void addNext(
      App app, String name, Set<String> keys, Function<String, String> value, String operation) {
    written(
        app,
        name,
        seen -> seen.isPublishedBy(operation) ? Optional.empty() : seen.added(keys, value));
  }

  /**
   * Makes the next values under these keys the current ones, unless this Operation has done so.
   *
   * @param seen whose next values are accepted
   * @return false when others have written the Secret since: read it again
   */
  public boolean publish(App app, RotatedSecret seen, Set<String> keys, String operation) {
    return seen.isPublishedBy(operation)
        || patch(app, seen, seen.published(keys, operation)).isPresent();
  }

  /** Takes the previous values under these keys away. May be repeated. */
  public void retire(App app, String name, Set<String> keys) {
    written(app, name, seen -> seen.retired(keys));
  }

  private void written(
      App app, String name, Function<RotatedSecret, Optional<Map<String, Object>>> patch) {
    for (var attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var seen = rotated(app, name);
      requireOwn(app, seen.secret());
      var next = patch.apply(seen);
      if (next.isEmpty() || patch(app, seen, next.get()).isPresent()) {
        return;
      }
    }
    throw contended(app, name);
  }

  private Optional<Secret> patch(App app, RotatedSecret seen, Map<String, Object> patch) {
    return unlessWritten(
        "rotate the values of Secret " + full(app, seen.name()),
        () ->
            secret(app, seen.name())
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch)));
  }

  private static RuntimeException contended(App app, String name) {
    return Faults.of(
        FaultKind.CONFLICT,
        "write Secret %s: others have written it at the same time, %d times in a row"
            .formatted(full(app, name), MOST_ATTEMPTS));
  }

  private Optional<Secret> read(App app, String name) {
    return Faults.read("Secret " + full(app, name), secret(app, name));
  }

  private Resource<Secret> secret(App app, String name) {
    return clients
        .of(app)
        .resources(Secret.class)
        .inNamespace(app.getMetadata().getNamespace())
        .withName(name);
  }

  private static boolean hasValue(Secret secret, String key) {
    return secret.getData() != null && !secret.getData().getOrDefault(key, "").isEmpty();
  }

  private static SecretText text(Secret secret, String key) {
    return SecretText.decoded(secret.getData().getOrDefault(key, ""));
  }

  private static String version(Secret secret) {
    return ContentTime.of(secret)
        .map(Instant::toString)
        .orElseGet(() -> secret.getMetadata().getCreationTimestamp());
  }

  private static String problem(App app, String name, String key, Optional<Secret> found) {
    if (found.isEmpty()) {
      return "Secret %s does not exist: create it with a value under key %s"
          .formatted(full(app, name), key);
    }
    return found.get().getData() != null && found.get().getData().containsKey(key)
        ? "Secret %s has an empty value under key %s: give it one".formatted(full(app, name), key)
        : "Secret %s has no key %s: add it".formatted(full(app, name), key);
  }

  /** What was made for an App that is gone, or by somebody for this one, is taken over. */
  private static void requireOwn(App app, Secret secret) {
    var labels = Optional.ofNullable(secret.getMetadata().getLabels()).orElse(Map.of());
    var other =
        OwnerReferences.controller(secret)
            .filter(owner -> !owner.getUid().equals(app.getMetadata().getUid()));
    if (other.filter(it -> it.getName().equals(app.getMetadata().getName())).isPresent()) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "Secret %s is still that of a deleted App of this name, and about to be deleted with it"
              .formatted(full(app, secret.getMetadata().getName())));
    }
    if (other.isPresent() || labels.containsKey(Labels.GROUP)) {
      throw Faults.of(
          FaultKind.INVALID,
          "Secret %s, which is to hold what is generated for the App, belongs to another object: rename the component, or name a Secret by secretRef"
              .formatted(full(app, secret.getMetadata().getName())));
    }
  }

  private Optional<Secret> create(
      App app, String component, String name, String key, String encoded) {
    var metadata = app.getMetadata();
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(metadata.getNamespace())
            .addToLabels(Labels.APP, metadata.getName())
            .addToLabels(Labels.COMPONENT, component)
            .withOwnerReferences(OwnerReferences.controlledBy(app))
            .endMetadata()
            .addToData(key, encoded)
            .build();
    return unlessWritten(
        "create Secret " + full(app, name), () -> clients.of(app).resource(secret).create());
  }

  private Optional<Secret> add(App app, Secret found, String key, String encoded) {
    requireOwn(app, found);
    var metadata = found.getMetadata();
    var patch =
        CanonicalJson.of(
            Map.of(
                "metadata",
                Map.of("resourceVersion", metadata.getResourceVersion()),
                "data",
                Map.of(key, encoded)));
    return unlessWritten(
        "add key %s to Secret %s".formatted(key, full(app, metadata.getName())),
        () -> secret(app, metadata.getName()).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
  }

  private static Optional<Secret> unlessWritten(String attempted, Supplier<Secret> write) {
    try {
      return Optional.of(write.get());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
          || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw Faults.of(attempted, e);
    }
  }

  private static String full(App app, String name) {
    return app.getMetadata().getNamespace() + "/" + name;
  }
}
