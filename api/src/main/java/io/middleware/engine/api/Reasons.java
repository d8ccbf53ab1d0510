package io.middleware.engine.api;

/**
 * Condition types, and the reasons that conditions, events and task errors carry; part of the
 * contract.
 */
public final class Reasons {
  // condition types
  public static final String ACCEPTED = "Accepted";
  public static final String RECONCILING = "Reconciling";
  public static final String READY = "Ready";
  public static final String STALLED = "Stalled";
  public static final String PENDING_CHANGE = "PendingChange";
  public static final String PAUSED = "Paused";
  public static final String AWAITING_APPROVAL = "AwaitingApproval";
  public static final String ORDER_DEGRADED = "OrderDegraded";
  public static final String TEARDOWN_BLOCKED = "TeardownBlocked";
  public static final String SUBMITTED = "Submitted";
  public static final String BACKUP_OVERDUE = "BackupOverdue";
  public static final String ROLES_INCONSISTENT = "RolesInconsistent";
  public static final String VOLUMES_AT_RISK = "VolumesAtRisk";
  public static final String OBJECTS_DRIFTED = "ObjectsDrifted";
  public static final String DEPENDENCIES_MISSING = "DependenciesMissing";
  public static final String ENDPOINTS_OUTDATED = "EndpointsOutdated";
  public static final String RESTORED = "Restored";

  // why an App is accepted, or not
  public static final String SPEC_VALID = "SpecValid";
  public static final String PLUGIN_NOT_FOUND = "PluginNotFound";
  public static final String PLUGIN_INVALID = "PluginInvalid";
  public static final String RUNTIME_NOT_OFFERED = "RuntimeNotOffered";
  public static final String UPGRADE_NOT_ALLOWED = "UpgradeNotAllowed";
  public static final String NO_WAY_BACK = "NoWayBack";
  public static final String NOT_SUPPORTED = "NotSupported";
  public static final String INVALID_SPEC = "InvalidSpec";
  public static final String IN_USE = "InUse";
  public static final String TEMPLATE_ERROR = "TemplateError";
  public static final String OUTPUT_REFUSED = "OutputRefused";
  public static final String OBJECT_REFUSED = "ObjectRefused";
  public static final String WRITE_FORBIDDEN = "WriteForbidden";

  // the state of a change
  public static final String CHANGE_IN_PROGRESS = "ChangeInProgress";
  public static final String CHANGE_SUCCEEDED = "ChangeSucceeded";
  public static final String CHANGE_FAILED = "ChangeFailed";
  public static final String CHANGE_CANCELLED = "ChangeCancelled";
  public static final String CHANGE_SUPERSEDED = "ChangeSuperseded";
  public static final String CHANGE_REJECTED = "ChangeRejected";
  public static final String CHANGE_TERMINATED = "ChangeTerminated";
  public static final String EDIT_DURING_CHANGE = "EditDuringChange";
  public static final String PAUSED_BY_USER = "PausedByUser";
  public static final String PLAN_SHOWN = "PlanShown";
  public static final String AGENTS_UNAVAILABLE = "AgentsUnavailable";

  // an Operation
  public static final String OPERATION_REFUSED = "OperationRefused";

  // a backup
  public static final String BACKUP_MISSED = "BackupMissed";
  public static final String BACKUP_SUCCEEDED = "BackupSucceeded";
  public static final String BACKUP_FAILED = "BackupFailed";
  public static final String BACKUP_CANCELLED = "BackupCancelled";
  public static final String BACKUP_RESTORED = "BackupRestored";
  public static final String RESTORE_COMPLETED = "RestoreCompleted";
  public static final String BACKUP_REMOVED = "BackupRemoved";

  // what pods have read, and others have changed since
  public static final String CONTENT_CHANGED = "ContentChanged";

  // what the API server warns of
  public static final String API_SERVER_WARNING = "ApiServerWarning";

  // volumes that go with their pods
  public static final String CLAIMS_BEING_DELETED = "ClaimsBeingDeleted";

  // an edit that waits for Temporal
  public static final String TEMPORAL_UNAVAILABLE = "TemporalUnavailable";

  // a deletion by force
  public static final String TEARDOWN_GIVEN_UP = "TeardownGivenUp";

  // runtime health
  public static final String PODS_REMAIN = "PodsRemain";
  public static final String ALL_PODS_READY = "AllPodsReady";
  public static final String PODS_NOT_READY = "PodsNotReady";
  public static final String DIFFERS_FROM_SPEC = "DiffersFromSpec";
  public static final String STOPPED = "Stopped";

  // roles that cannot be
  public static final String SEVERAL_PRIMARIES = "SeveralPrimaries";
  public static final String NO_PRIMARY = "NoPrimary";
  public static final String ROLE_IMPAIRED = "RoleImpaired";
  public static final String ROLES_CONSISTENT = "RolesConsistent";

  // objects that are not as the engine has made them
  public static final String OBJECTS_MISSING = "ObjectsMissing";
  public static final String TEMPLATE_CHANGED = "TemplateChanged";
  public static final String FOREIGN_FIELDS = "ForeignFields";
  public static final String OBJECTS_AS_WRITTEN = "ObjectsAsWritten";

  // what an App uses, and somebody has deleted
  public static final String PLUGIN_MISSING = "PluginMissing";
  public static final String BACKUP_STORE_MISSING = "BackupStoreMissing";
  public static final String BACKUP_MISSING = "BackupMissing";
  public static final String SECRET_MISSING = "SecretMissing";
  public static final String SECRET_FORBIDDEN = "SecretForbidden";
  public static final String DEPENDENCIES_EXIST = "DependenciesExist";

  // Services for applications that may lead to a wrong pod
  public static final String SLICES_NOT_WRITTEN = "SlicesNotWritten";
  public static final String SLICES_NOT_READ = "SlicesNotRead";
  public static final String ENDPOINTS_UP_TO_DATE = "EndpointsUpToDate";

  // why a task failed
  public static final String TASK_TIMED_OUT = "TaskTimedOut";
  public static final String INVALID_ORDER = "InvalidOrder";
  public static final String AGENT_REFUSED = "AgentRefused";
  public static final String ACTION_FAILED = "ActionFailed";
  public static final String HOOK_FAILED = "HookFailed";
  public static final String CHECK_FAILED = "CheckFailed";

  private Reasons() {}
}
