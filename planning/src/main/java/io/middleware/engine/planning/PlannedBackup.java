package io.middleware.engine.planning;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The backup that an App asks for before it is upgraded; a pure function of what is deployed.
 *
 * <p>An upgrade that has begun is finished, or led back, without another one: what it has left is
 * nothing to go back to, and its pods may be unable to give a copy.
 *
 * @param taken whether an earlier run of the same change has taken it
 */
record PlannedBackup(DesiredApp desiredApp, List<DeployedComponent> deployed, boolean taken) {
  private static final String FIELD = "spec.backup.beforeUpgrade";

  PlannedBackup {
    deployed = List.copyOf(deployed);
  }

  /** The change that goes before all others; empty when there is none. */
  Optional<PlannedChange> change() {
    return settings()
        .filter(settings -> isNeeded())
        .map(
            settings ->
                new PlannedChange(
                    desiredApp.app(),
                    ChangeType.BACKUP,
                    TaskDescriptions.backup(settings.store())));
  }

  /** Why it cannot be taken, as far as that is known beforehand. */
  List<String> problems() {
    return isNeeded() ? withData().flatMap(this::problems).toList() : List.of();
  }

  private boolean isNeeded() {
    return settings().isPresent()
        && !taken
        && withData().findAny().isPresent()
        && deployed.stream().noneMatch(it -> it.unfinished().contains(ChangeType.VERSION_UPGRADE))
        && ComponentDiff.of(desiredApp, deployed).stream()
            .anyMatch(change -> change.type() == ChangeType.VERSION_UPGRADE);
  }

  private Optional<BackupSettings> settings() {
    return Optional.ofNullable(desiredApp.spec().backup())
        .filter(BackupSettings::areTakenBeforeUpgrade);
  }

  /**
   * The components that agents can copy, as far as the Plugin that is to be deployed knows. One
   * whose groups all have no pods has nothing that could be copied, nor lost by the upgrade.
   */
  private Stream<DeployedComponent> withData() {
    return deployed.stream()
        .filter(it -> desiredApp.catalog().hasData(it.spec().type()))
        .filter(
            it ->
                it.spec().groups() == null
                    || it.spec().groups().stream()
                        .anyMatch(group -> !Integer.valueOf(0).equals(group.replicas())));
  }

  private Stream<String> problems(DeployedComponent component) {
    if (component.spec().isStopped() || desiredApp.spec().isStopped()) {
      return Stream.of(
          "%s: %s has no running pods, and only running pods are backed up: upgrade while the App is Running, or set it to false"
              .formatted(FIELD, component.component()));
    }
    if (component.unfinished().contains(ChangeType.PROVISION)) {
      return Stream.of(
          "%s: %s has never been provisioned completely, so it cannot be backed up: set it to false until the App is Ready"
              .formatted(FIELD, component.component()));
    }
    var store = settings().map(BackupSettings::store);
    return store.equals(store(component))
        ? Stream.empty()
        : Stream.of(
            "%s: the pods of %s do not reach BackupStore %s yet: deploy spec.backup.store before the upgrade, or set it to false"
                .formatted(FIELD, component.component(), store.orElse("")));
  }

  private static Optional<String> store(DeployedComponent component) {
    return Optional.ofNullable(component.spec().backup()).map(BackupSettings::store);
  }
}
