package io.middleware.engine.api;

import java.util.Map;
import java.util.TreeMap;

/** Labels, annotations and names that the engine writes and reads. */
public final class Labels {
  public static final String APP = "middleware.io/app";
  public static final String COMPONENT = "middleware.io/component";
  public static final String GROUP = "middleware.io/group";
  public static final String PLUGIN = "middleware.io/plugin";

  /** Label on Components and kept specs: UID of their App, also when it owns them no more. */
  public static final String APP_UID = "middleware.io/app-uid";

  /** Finalizer on Apps: components are stopped in order before the App is removed. */
  public static final String TEARDOWN = "middleware.io/teardown";

  /** On an App, {@code "true"}: take fields over that another manager owns. */
  public static final String FORCE_CONFLICTS = "middleware.io/force-conflicts";

  /** On an App, {@code "true"}: its deletion gives up what cannot be reached. */
  public static final String FORCE_DELETE = "middleware.io/force-delete";

  /**
   * On an App, a generation: steps that carry it out may take pods away whose data go with them.
   */
  public static final String ACCEPT_DATA_LOSS = "middleware.io/accept-data-loss";

  /**
   * On an App: which tasks of the running change to cancel, as JSON; removed once it is answered.
   */
  public static final String CANCEL_CONTROL = "middleware.io/cancel-control";

  /** On an App: which tasks of the running or last change to try again, as JSON; likewise. */
  public static final String RETRY_CONTROL = "middleware.io/retry-control";

  /** On a Component: change types begun and not yet finished, comma separated. */
  public static final String UNFINISHED = "middleware.io/unfinished";

  /** On a Component: run and generation of the last change, and its tasks that have ended here. */
  public static final String ENDED_TASKS = "middleware.io/ended-tasks";

  /** On a Component: its state before the running task, as JSON; for that task's rollback. */
  public static final String UNDO = "middleware.io/undo";

  /** On a Component: the versions to which it cannot go back, and why, as JSON. */
  public static final String NO_WAY_BACK = "middleware.io/no-way-back";

  /**
   * On a Group and its objects: the task that wrote them last. A task that finds them as it wants
   * them writes this still, so that no stalled step of an earlier task can write after it.
   */
  public static final String WRITTEN_BY = "middleware.io/written-by";

  /** On a Group: its objects that are to be deleted once no pod needs them, as JSON. */
  public static final String SURPLUS = "middleware.io/surplus";

  /** On a Group: its StatefulSet that is being replaced, as JSON. */
  public static final String REPLACED_STATEFUL_SET = "middleware.io/replaced-statefulset";

  /** On a workload whose template sets no replicas: how many it had before it was stopped. */
  public static final String REPLICAS_BEFORE_STOP = "middleware.io/replicas-before-stop";

  /**
   * On a Group: the pod that the engine's last switchover has made the primary, its address and the
   * time. The status says which of these the watcher has asked the agents about since.
   */
  public static final String SWITCHED_OVER = "middleware.io/switched-over";

  /**
   * On a Group: the ControllerRevision in the engine's namespace that holds the Plugin with which
   * it was last rendered.
   */
  public static final String PLUGIN_REVISION = "middleware.io/plugin-revision";

  /** On a Group: the BackupStore with which it was last rendered, as JSON. */
  public static final String BACKUP_STORE = "middleware.io/backup-store";

  /** On a Group: where the agents of its pods listen, by Plugin of the pods. */
  public static final String AGENTS = "middleware.io/agents";

  /** On a Group: the task that drains its pods, and the names of those that it is done with. */
  public static final String DRAINED = "middleware.io/drained";

  /**
   * On a Group whose pods join and leave one at a time: how many members it has, and which one is
   * joining or leaving.
   */
  public static final String MEMBERS = "middleware.io/members";

  /** On a PersistentVolumeClaim of a group: what has used it last, as JSON. */
  public static final String LAST_USE = "middleware.io/last-use";

  /** On pods: a hash of the configuration that takes a restart to change. */
  public static final String CONFIGURATION = "middleware.io/configuration";

  /** Annotation of a Secret: UID of the Operation that rotated its values last. */
  public static final String ROTATED_BY = "middleware.io/rotated-by";

  /** On pods: the uid of the Operation that restarted their group last. */
  public static final String RESTARTED_BY = "middleware.io/restarted-by";

  /** On the Service of an endpoint: what it is, as {@code Endpoint} writes it. */
  public static final String ENDPOINT = "middleware.io/endpoint";

  /** On the Service of an endpoint: the Secret with what a client needs to connect to it. */
  public static final String CONNECTION = "middleware.io/connection";

  /** On that Secret: where its password comes from, as {@code secret/key@version}. */
  public static final String PASSWORD_FROM = "middleware.io/password-from";

  /** On the Secret with the accounts of a group: where their passwords come from. */
  public static final String ACCOUNTS_FROM = "middleware.io/accounts-from";

  /** On that Secret: the form of its {@code uri}. */
  public static final String URI_FORM = "middleware.io/uri-form";

  /** On a connection Secret: the Secret that has, as {@code ca.crt}, whom its clients trust. */
  public static final String AUTHORITY_FROM = "middleware.io/authority-from";

  /** On the EndpointSlice of an endpoint: the newest term of a primary that it has served. */
  public static final String SERVED_TERM = "middleware.io/served-term";

  /** Finalizer on Operations: one that runs is stopped before it is removed. */
  public static final String OPERATION = "middleware.io/operation";

  /** Finalizer on Backups: the copies are deleted before the Backup is removed. */
  public static final String BACKUP = "middleware.io/backup";

  /** Finalizer on IntegrationTests and LoadTests: one that runs is stopped before it is removed. */
  public static final String TEST = "middleware.io/test";

  /** On a Backup: the id of the workflow that created it for the schedule of its App. */
  public static final String SCHEDULED_BY = "middleware.io/scheduled-by";

  /** On a Backup: the generation of its App before whose upgrade a change has taken it. */
  public static final String BEFORE_UPGRADE = "middleware.io/before-upgrade";

  /** On an object that a test has created: the uid of the test, which deletes it at its end. */
  public static final String TEST_CREATED_BY = "test.middleware.io/created-by";

  /** On an App: the hash of the plan in its status that may begin. */
  public static final String APPROVE = "middleware.io/approve";

  /** On an App, {@code "true"}: an edit waits for the end of the running change. */
  public static final String PENDING_CHANGE = "middleware.io/pending-change-detected";

  /**
   * Name of the ConfigMap that says what runs where, with a key for each App of its namespace. What
   * it has no room for is in others, whose names have a number behind, from 2 to 8.
   */
  public static final String METADATA = "middleware-metadata";

  private Labels() {}

  /** The labels that select the pods of one group; they never change for a group. */
  public static Map<String, String> selector(String app, String component, String group) {
    return Map.of(APP, app, COMPONENT, component, GROUP, group);
  }

  /** The labels of everything made for a group. */
  public static Map<String, String> of(String app, String component, String group, String plugin) {
    var labels = new TreeMap<>(selector(app, component, group));
    labels.put(PLUGIN, plugin);
    return labels;
  }

  /** Name of the Component object: {@code <app>-<component>}. */
  public static String componentName(String app, String component) {
    return app + "-" + component;
  }

  /** Name of the Group object: {@code <app>-<component>-<group>}. */
  public static String groupName(String app, String component, String group) {
    return componentName(app, component) + "-" + group;
  }

  /** Name of the Plugin object: {@code <name>-v<version>}. */
  public static String pluginName(String name, String version) {
    return name + "-v" + version;
  }
}
