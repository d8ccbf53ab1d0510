package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.backup.BackupEnds.End;
import io.middleware.engine.activities.backup.CopyPods.Place;
import io.middleware.engine.activities.backup.GroupCopying.CopyJob;
import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.BackupActivities;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** {@inheritDoc} */
public final class KubernetesBackupActivities implements BackupActivities {
  private static final int DEFAULT_RETENTION = 7;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Context context;
  private final Backups backups;
  private final BackupComponents components;
  private final BackupMessages messages;
  private final BackupEnds ends;
  private final BackupBeginning beginning;
  private final BackupRemoval removal;
  private final NeededBackups needed;

  /**
   * What it works with.
   *
   * @param client with the engine's own rights
   * @param agents asked for roles
   * @param clock Temporal's
   * @param patience how long a replica is waited for before the primary is copied
   */
  public record Context(
      KubernetesClient client,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiter,
      AgentQueries agents,
      AgentActions actions,
      ScheduleDeletion schedules,
      EventRecorder events,
      SensitiveValues secrets,
      MeterRegistry meters,
      Clock clock,
      Duration patience) {

    /** With the usual patience. */
    public Context(
        KubernetesClient client,
        Plugins plugins,
        ClusterView view,
        ClusterWaiter waiter,
        AgentQueries agents,
        AgentActions actions,
        ScheduleDeletion schedules,
        EventRecorder events,
        SensitiveValues secrets,
        MeterRegistry meters,
        Clock clock) {
      this(
          client, plugins, view, waiter, agents, actions, schedules, events, secrets, meters, clock,
          PATIENCE);
    }
  }

  public KubernetesBackupActivities(Context context) {
    var events = new BackupEvents(context.events());
    this.context = context;
    this.backups = new Backups(context.client());
    this.components = new BackupComponents(context.client(), context.plugins());
    this.messages = new BackupMessages(backups);
    this.needed = new NeededBackups(backups);
    this.ends = new BackupEnds(backups, events, context.secrets(), context.clock());
    this.beginning =
        new BackupBeginning(
            backups,
            components,
            new BackupAdmission(context.client(), components, context.view()),
            ends,
            events,
            context.schedules());
    var copies = new CopyRemoval(context.view(), context.actions(), context.waiter().heartbeat());
    this.removal =
        new BackupRemoval(
            backups,
            components,
            context.view(),
            copies,
            new KeptCopies(context.events(), context.plugins(), context.meters()));
  }

  @Override
  public NeededBackup neededBackup(TaskRef task) {
    return needed.of(task.change());
  }

  @Override
  public BackupBegun beginBackup(BackupRef backup) {
    return beginning.begin(backup, context.clock());
  }

  @Override
  public void copyGroup(GroupCopy copy) {
    copyGroup(copy, CopyTimeLimit.ofActivity(context.clock()));
  }

  void copyGroup(GroupCopy copy, CopyTimeLimit limit) {
    var ref = copy.backup();
    var records = new CopyRecords(backups, context.clock(), copy);
    var now = records.backup();
    var timeout = BackupBeginning.timeout(now);
    var app = String.valueOf(now.getStatus().appUid());
    var place = new Place(new AppKey(ref.namespace(), ref.app()), copy.group(), agents(copy));
    var pods =
        new CopyPods(context.view(), context.waiter(), context.agents(), place, context.patience());
    var job =
        new CopyJob(
            copy,
            place,
            () -> limit.remaining(timeout),
            messages,
            text -> context.secrets().hide(app, text));
    new GroupCopying(context.waiter(), context.actions(), records, pods, job).run();
  }

  private AgentEndpoint agents(GroupCopy copy) {
    var ref = copy.backup();
    return components.app(ref.namespace(), ref.app()).stream()
        .flatMap(app -> components.of(app).stream())
        .filter(part -> part.groups().anyMatch(copy.group()::equals))
        .map(BackupComponents.DeployedPart::agents)
        .filter(AgentEndpoint::exists)
        .findFirst()
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.REFUSED,
                    "App %s/%s has no group %s/%s with agents any more"
                        .formatted(
                            ref.namespace(),
                            ref.app(),
                            copy.group().component(),
                            copy.group().group())));
  }

  @Override
  public void discardCopies(BackupRef backup) {
    removal.discard(backup);
  }

  @Override
  public void endBackup(BackupEnd end) {
    var ref = end.backup();
    ends.end(
        ref,
        components.app(ref.namespace(), ref.app()),
        new End(end.phase(), end.why()),
        found -> found.getStatus() != null && ref.runId().equals(found.getStatus().runId()));
  }

  @Override
  public void pruneBackups(BackupRef backup) {
    var app = components.app(backup.namespace(), backup.app()).filter(it -> it.getSpec() != null);
    if (app.isEmpty() || backups.findOfRun(backup).filter(Backup::hasSucceeded).isEmpty()) {
      return;
    }
    var uid = app.get().getMetadata().getUid();
    var needed = components.restoring(backup.namespace());
    var all =
        backups.ofApp(backup.namespace(), backup.app()).stream()
            .filter(it -> PrunedBackups.isOfSchedule(it, backup, uid))
            .toList();
    PrunedBackups.of(all, backup, retention(app.get()), context.clock().instant()).all().stream()
        .filter(it -> !needed.contains(it.getMetadata().getName()))
        .forEach(backups::delete);
  }

  private static int retention(App app) {
    return Optional.ofNullable(app.getSpec().backup())
        .map(BackupSettings::retention)
        .orElse(DEFAULT_RETENTION);
  }

  @Override
  public void removeBackup(BackupRef backup) {
    removal.remove(backup);
  }
}
