package io.middleware.engine.cluster.apiserver;

import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A namespace on the API server, with the view of it that a worker has. It is the engine's own as
 * well: the Plugin is in it.
 */
public final class LocalNamespace extends LocalCluster {
  private final ClusterView view;

  LocalNamespace(KubernetesClient client, ClusterView view, String namespace) {
    super(client, namespace);
    this.view = view;
  }

  /** Of all namespaces; a few milliseconds behind. */
  public ClusterView view() {
    return view;
  }

  /**
   * Keeps a spec as that of the App's generation.
   *
   * @param owner uid of an App of this name
   */
  public void keepSpec(App app, String owner, Object spec) {
    var metadata = app.getMetadata();
    create(
        new ControllerRevisionBuilder()
            .withNewMetadata()
            .withName(metadata.getName() + "-" + metadata.getGeneration())
            .addNewOwnerReference()
            .withApiVersion(app.getApiVersion())
            .withKind(app.getKind())
            .withName(metadata.getName())
            .withUid(owner)
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withRevision(metadata.getGeneration())
            .withData(spec)
            .build());
  }

  /** Keeps the App's spec without the value of this parameter, and returns what is kept. */
  public Map<String, Object> keepSpecWithout(App app, String parameter) {
    var uid = app.getMetadata().getUid();
    var spec = client().getKubernetesSerialization().convertValue(app.getSpec(), Map.class);
    var marked = new SensitiveMarks(uid).put(spec, new SensitiveParameters(Set.of(parameter)));
    keepSpec(app, uid, marked);
    return marked;
  }

  /** The App, whose finalizer holds it. */
  public App deleteByForce(App app) {
    named(App.class, app.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    client().resource(app).delete();
    return now(app);
  }

  /** From now on nobody can write the status of an App of this namespace. */
  public void refuseStatusWrites() {
    refuse(
        "UPDATE", "middleware.io", "apps/status", () -> patchStatus("{\"phase\": \"Deleting\"}"));
  }

  /** From now on nobody can delete this Job, or another one of this namespace. */
  public void refuseDeletion(Job job) {
    refuse("DELETE", "batch", "jobs", () -> client().resource(job).dryRun().delete());
  }

  public Plugin createPlugin() {
    return createPlugin(UnaryOperator.identity());
  }

  /**
   * @param edit of the text in {@code apiserver/plugin.yaml}
   */
  public Plugin createPlugin(UnaryOperator<String> edit) {
    return create(read("/apiserver/plugin.yaml", Plugin.class, edit));
  }

  /** The name of a StorageClass, whose volumes can grow or not. */
  public String storageClass(boolean canGrow) {
    var storageClass =
        new StorageClassBuilder()
            .withNewMetadata()
            .withName(namespace() + "-" + canGrow)
            .endMetadata()
            .withProvisioner("test.middleware.io")
            .withAllowVolumeExpansion(canGrow)
            .build();
    return client().resource(storageClass).serverSideApply().getMetadata().getName();
  }

  /** All events of the namespace. */
  public List<Event> events() {
    return all(Event.class);
  }

  /** The App's newest generation, carried out by this run. */
  public ChangeRef change(App app, String runId) {
    var metadata = app.getMetadata();
    return new ChangeRef(
        namespace(), metadata.getName(), metadata.getUid(), metadata.getGeneration(), runId);
  }

  /** Waits until the view has seen what was written. */
  public void awaitSeen(BooleanSupplier condition) {
    await().until(condition::getAsBoolean);
  }
}
