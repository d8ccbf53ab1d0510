package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.render.BackupSources;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an App needs that others may not have made yet, or may have deleted. */
final class AppDependencies {
  private final KubernetesClient client;
  private final ImpersonatedClients writers;

  /**
   * @param client with the engine's own rights
   * @param writers ask as the App's service account, as the engine may not read Secrets
   */
  AppDependencies(KubernetesClient client, ImpersonatedClients writers) {
    this.client = client;
    this.writers = writers;
  }

  /** Without it, pods that mount the App's store cannot start. */
  List<String> problems(App app, BackupSources sources) {
    var namespace = app.getMetadata().getNamespace();
    return app.getSpec().isStopped()
        ? List.of()
        : store(app)
            .flatMap(store -> sources.store(namespace, store))
            .map(BackupStoreSpec::folder)
            .map(BackupStoreSpec.Folder::claimName)
            .filter(claim -> !exists(namespace, claim))
            .map(
                claim ->
                    "spec.backup.store: BackupStore %s needs PersistentVolumeClaim %s, which does not exist in namespace %s: create it, or correct the store's spec.folder.claimName"
                        .formatted(store(app).orElseThrow(), claim, namespace))
            .stream()
            .toList();
  }

  /** The plan, whose tasks name what is missing without being needed at once. */
  ChangePlan into(ChangePlan plan, App app, Plugin plugin, BackupSources sources) {
    var missing = missing(app, plugin, sources);
    return missing.isEmpty()
        ? plan
        : plan.edited(
            task -> task.describedAs(task.description() + "; " + String.join("; ", missing)));
  }

  private List<String> missing(App app, Plugin plugin, BackupSources sources) {
    var missing = new ArrayList<String>();
    var annotations = plugin.getMetadata().getAnnotations();
    if (annotations != null && annotations.containsKey(Labels.PLUGIN_REVISION)) {
      missing.add(
          "Plugin %s does not exist any more, what was known of it last is used: create it again"
              .formatted(plugin.getMetadata().getName()));
    }
    store(app).flatMap(store -> missing(app, store, sources)).ifPresent(missing::add);
    return missing;
  }

  private Optional<String> missing(App app, String store, BackupSources sources) {
    var namespace = app.getMetadata().getNamespace();
    var spec = sources.store(namespace, store);
    if (spec.isEmpty()) {
      return Optional.of(
          "BackupStore %s does not exist any more, backups fail until it does".formatted(store));
    }
    return spec.map(BackupStoreSpec::s3)
        .map(s3 -> s3.secretRef().name())
        .filter(secret -> lacksSecret(app, secret))
        .map(
            secret ->
                "Secret %s of BackupStore %s does not exist, backups fail until it does"
                    .formatted(secret, store));
  }

  private static Optional<String> store(App app) {
    return Optional.ofNullable(app.getSpec().backup()).map(BackupSettings::store);
  }

  private boolean exists(String namespace, String claim) {
    return !Faults.list(
            "PersistentVolumeClaim %s/%s".formatted(namespace, claim),
            client
                .resources(PersistentVolumeClaim.class)
                .inNamespace(namespace)
                .withField("metadata.name", claim))
        .isEmpty();
  }

  /**
   * Whether one of this name could be created. The engine never reads it. Nobody knows where the
   * account may not create Secrets.
   */
  private boolean lacksSecret(App app, String name) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(app.getMetadata().getNamespace())
            .endMetadata()
            .build();
    try {
      writers.of(app).resource(secret).dryRun().create();
      return true;
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT,
            HttpURLConnection.HTTP_FORBIDDEN,
            HttpURLConnection.HTTP_UNAUTHORIZED ->
            false;
        default -> throw Faults.of("look up Secret " + name, e);
      };
    }
  }
}
