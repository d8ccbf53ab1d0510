package io.middleware.engine.planning.validation;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RestoreSource;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.planning.app.AppAdditions;
import io.middleware.engine.planning.app.AppAdditions.NewGroup;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.render.BackupSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the store of an App's backups, and the Backup that its new components begin with. */
public record BackupRules(
    DesiredApp desiredApp, ObservedApp observedApp, String namespace, BackupSources sources) {
  private static final String FIELD = "spec.restoreFrom.backup";

  public Optional<Refusal> refusal() {
    var problems = new ArrayList<String>();
    store().ifPresent(problems::add);
    if (problems.isEmpty()) {
      problems.addAll(restore());
    }
    return Refusal.of(Reasons.INVALID_SPEC, problems);
  }

  private Optional<String> store() {
    var backup = Optional.ofNullable(desiredApp.spec().backup());
    var store = backup.map(BackupSettings::store);
    if (store.isEmpty()
        && backup.filter(BackupSettings::isEnabled).isPresent()
        && haveAgentsData()) {
      return Optional.of(
          "spec.backup.store: name the BackupStore that the agents write to, or set spec.backup.enabled to false");
    }
    var found = store.flatMap(name -> sources.store(namespace, name));
    if (store.isEmpty() || found.isPresent() || isKnown(store.get())) {
      return found.map(BackupStoreSpec::s3).flatMap(s3 -> problem(store.get(), s3));
    }
    return Optional.of(
        "spec.backup.store: BackupStore %s does not exist in namespace %s: create it, or correct the name"
            .formatted(store.get(), namespace));
  }

  /** What is deployed goes on without its store, and must be stopped and changed. */
  private boolean isKnown(String store) {
    return observedApp.components().stream()
            .map(deployed -> deployed.spec().backup())
            .anyMatch(backup -> backup != null && store.equals(backup.store()))
        && sources.lastKnownStore(namespace, store).isPresent();
  }

  private boolean haveAgentsData() {
    return desiredApp.plugin().hasAgents()
        && desiredApp.components().values().stream()
            .anyMatch(it -> desiredApp.catalog().hasData(it.type()));
  }

  /** One from before its fields were checked as strictly. */
  private static Optional<String> problem(String store, BackupStoreSpec.S3 s3) {
    var field =
        !SchemaPatterns.isFollowed(SchemaPatterns.SERVICE_URL, s3.endpoint())
            ? "endpoint"
            : SchemaPatterns.isFollowed(SchemaPatterns.BUCKET, s3.bucket()) ? "" : "bucket";
    return Optional.of(
            "spec.backup.store: BackupStore %s: spec.s3.%s is not valid: create another BackupStore"
                .formatted(store, field))
        .filter(problem -> !field.isEmpty());
  }

  /** What is deployed already has been restored, or has begun to be. */
  private List<String> restore() {
    var source = desiredApp.spec().restoreFrom();
    var additions = AppAdditions.of(desiredApp, observedApp.components());
    if (source == null) {
      return begun();
    }
    var others = others(source);
    if (others.stream().anyMatch(it -> !observedApp.hasNeverRun(it))) {
      return begun();
    }
    var filled = filled(additions, others);
    if (filled.isEmpty()) {
      return List.of();
    }
    var backup = sources.backup(namespace, source.backup());
    if (backup.isEmpty()) {
      return List.of(
          "%s: Backup %s does not exist in namespace %s, has not succeeded, or names copies that are not its own: see kubectl get mwbackup -n %s; remove the field if the App is already deployed"
              .formatted(FIELD, source.backup(), namespace, namespace));
    }
    return Stream.of(
            software(backup.get()),
            place(source, backup.get()),
            groups(source, backup.get(), filled),
            leftovers(additions))
        .flatMap(problems -> problems)
        .toList();
  }

  /** What is deployed, was to be filled from another Backup, and still is to be filled. */
  private List<DeployedComponent> others(RestoreSource source) {
    return observedApp.components().stream()
        .filter(deployed -> desiredApp.components().containsKey(deployed.component()))
        .filter(deployed -> deployed.spec().restoreFrom() != null)
        .filter(deployed -> !source.equals(deployed.spec().restoreFrom()))
        .toList();
  }

  /** The groups with data that are to begin with the Backup. */
  private List<NewGroup> filled(AppAdditions additions, List<DeployedComponent> others) {
    return Stream.concat(
            additions.groups().stream()
                .filter(group -> additions.components().contains(group.component())),
            others.stream()
                .map(other -> desiredApp.components().get(other.component()))
                .flatMap(
                    component ->
                        ComponentSpecs.byName(component).values().stream()
                            .map(group -> new NewGroup(component, group))))
        .filter(group -> desiredApp.catalog().hasData(group.of().type()))
        .toList();
  }

  /** Without the field, what is not filled yet would begin empty. */
  private List<String> begun() {
    return observedApp.components().stream()
        .filter(deployed -> deployed.spec().restoreFrom() != null)
        .filter(deployed -> !observedApp.hasNeverRun(deployed))
        .map(
            deployed ->
                "spec.restoreFrom: %s is being filled from Backup %s: keep the field as it is until the App is Ready, or delete the App"
                    .formatted(deployed.component(), deployed.spec().restoreFrom().backup()))
        .toList();
  }

  private Stream<String> software(BackupStatus backup) {
    var to = desiredApp.spec().runtime();
    var from = backup.runtime();
    if (to.equals(from) || (from != null && desiredApp.catalog().isUpgrade(from, to))) {
      return Stream.empty();
    }
    return Stream.of(
        "%s: it is a backup of %s, which %s %s cannot be expected to read: restore it with the same runtime, and upgrade afterwards"
            .formatted(
                FIELD,
                from == null ? "an unknown runtime" : from.name() + " " + from.version(),
                to.name(),
                to.version()));
  }

  private Stream<String> place(RestoreSource source, BackupStatus backup) {
    var store = desiredApp.spec().backup() == null ? null : desiredApp.spec().backup().store();
    return Objects.equals(store, backup.store())
        ? Stream.empty()
        : Stream.of(
            "spec.backup.store: Backup %s is in BackupStore %s, not in %s"
                .formatted(source.backup(), backup.store(), store));
  }

  /** Neither data that have no place, nor groups that would begin empty. */
  private Stream<String> groups(RestoreSource source, BackupStatus backup, List<NewGroup> filled) {
    var copies =
        backup
            .all()
            .map(BackupCopy::id)
            .filter(copy -> isToBeFilled(copy.split("/", -1)[0], filled))
            .sorted()
            .toList();
    var groups =
        filled.stream()
            .filter(
                group ->
                    !Integer.valueOf(0).equals(group.template().replicas())
                        || copies.contains(id(group)))
            .map(BackupRules::id)
            .sorted()
            .toList();
    return groups.equals(copies)
        ? Stream.empty()
        : Stream.of(
            "%s: Backup %s has copies of %s, but this App would restore %s: give it the same components and groups; if the App has been restored already, take restoreFrom away: then what is new begins empty"
                .formatted(
                    FIELD,
                    source.backup(),
                    copies.isEmpty() ? "none of them" : String.join(", ", copies),
                    String.join(", ", groups)));
  }

  private boolean isToBeFilled(String component, List<NewGroup> filled) {
    return observedApp.component(component).isEmpty()
        || filled.stream().anyMatch(group -> group.component().equals(component));
  }

  private static String id(NewGroup group) {
    return group.component() + "/" + group.name();
  }

  private Stream<String> leftovers(AppAdditions additions) {
    return observedApp.volumeClaims().stream()
        .filter(
            claim ->
                additions.groups().stream()
                    .anyMatch(group -> claim.isOf(group.component(), group.name())))
        .map(
            claim ->
                "%s: PersistentVolumeClaim %s still exists with data of an earlier App: restore under another name, or delete it"
                    .formatted(FIELD, claim.name()));
  }
}
