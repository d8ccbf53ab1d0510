package io.middleware.engine.agent.command;

import static java.util.stream.Collectors.toMap;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.backup.BackupActions;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.store.StoreSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Controls the middleware process of a pod by the commands in a folder. A file with a name that is
 * known here is called for what the engine asks; every other file is an action of the Plugin. What
 * has no file is UNIMPLEMENTED. The README has a line of protocol for each.
 */
final class CommandModeDriver implements Driver {
  private static final Set<String> ASKED_BY_THE_ENGINE =
      Set.of("switchover", "reload", "drain", "persist", "resume");

  private static final Set<String> ON_BACKUPS =
      Set.of("backup", "verify-backup", "restore", "delete-backup");

  private static final String PRIMARY = ReplicationRole.PRIMARY.wireName();

  private final String pod;
  private final KnownCommands commands;
  private final RoleWatch roles;
  private final WritePause pause;
  private final Optional<? extends StoreSource> backups;
  private final AccountFiles secrets;

  /**
   * @param pod the name of its pod
   * @param backups where its backups are kept, if anywhere
   * @param secrets for whose changed files a reload waits
   */
  CommandModeDriver(
      String pod,
      KnownCommands commands,
      RoleWatch roles,
      WritePause pause,
      Optional<? extends StoreSource> backups,
      AccountFiles secrets) {
    this.pod = pod;
    this.commands = commands;
    this.roles = roles;
    this.pause = pause;
    this.backups = backups;
    this.secrets = secrets;
  }

  @Override
  public ReplicationRole role() {
    return isPrimary(roles.recent()) ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public String roleName() {
    return roles.recent().name();
  }

  @Override
  public Optional<String> trouble() {
    return Optional.of(roles.recent().problem()).filter(problem -> !problem.isEmpty());
  }

  @Override
  public Optional<String> primary() {
    return role() == ReplicationRole.PRIMARY ? Optional.of(pod) : Optional.empty();
  }

  @Override
  public String measure(String question) {
    return new CommandQuestions(commands).answer(question);
  }

  /** A pod of a middleware without roles may be the primary. */
  @Override
  public Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    var command = commands.find("switchover");
    if (command.isEmpty()) {
      return Driver.super.switchover(successor, progress);
    }
    var role = roles.now();
    if (successor.equals(Optional.of(pod)) || !isPrimary(role) && !role.equals(PrintedRole.NONE)) {
      return Optional.of(pod).filter(here -> isPrimary(role));
    }
    try {
      var input = CommandInput.action(Map.of("SUCCESSOR", successor.orElse("")));
      var answer = command.get().call(input, progress).outputOrThrow();
      return Optional.ofNullable(CommandValues.in(answer).get(PRIMARY));
    } finally {
      roles.forget();
    }
  }

  /** The file of a password has the name of its parameter. */
  @Override
  public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
    var names = digests.keySet().stream().collect(toMap(name -> name, name -> name));
    return secrets.folder().flatMap(folder -> secrets.outdated(names, salt, digests));
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    var command = commands.find("reload");
    if (command.isEmpty()) {
      return Driver.super.reload(parameters, progress);
    }
    var input = CommandInput.action(Map.of(), CommandValues.text(parameters));
    var inForce = CommandValues.in(command.get().call(input, progress).outputOrThrow());
    inForce.keySet().retainAll(parameters.keySet());
    return inForce;
  }

  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    var command = commands.find("drain");
    if (command.isEmpty()) {
      Driver.super.drain(progress);
    } else {
      command.get().call(CommandInput.action(Map.of()), progress).outputOrThrow();
    }
  }

  @Override
  public void persist(boolean beforeEnd, ProgressSink progress) throws InterruptedException {
    var command = commands.find("persist");
    if (command.isEmpty()) {
      Driver.super.persist(beforeEnd, progress);
    } else if (beforeEnd) {
      pause.during(() -> persist(command.get(), "true", progress));
    } else {
      persist(command.get(), "false", progress);
    }
  }

  private static void persist(CommandFile command, String beforeEnd, ProgressSink progress)
      throws InterruptedException {
    command.call(CommandInput.action(Map.of("BEFORE_END", beforeEnd)), progress).outputOrThrow();
  }

  @Override
  public void resume() {
    pause.end();
  }

  /** Joins and leaves are actions as well, as the engine has no calls for them. */
  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    if (isAskedByTheEngine(request.name())) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "%s is not an action: the engine calls it itself".formatted(request.name()))
          .asRuntimeException();
    }
    if (ON_BACKUPS.contains(request.name())) {
      return onBackup(request, progress);
    }
    var folder = commands.folder();
    var command = folder.command(request.name());
    return CommandRun.start(
            request,
            command.orElseThrow(() -> CommandDriver.unknown(request, folder)),
            folder.place())
        .await(progress);
  }

  private ActionOutput onBackup(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    try {
      return new BackupActions(new CommandBackup(commands.folder()), backups, progress)
          .run(request);
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private static boolean isAskedByTheEngine(String file) {
    return CommandQuestions.isOne(file)
        || ASKED_BY_THE_ENGINE.contains(file)
        || KnownCommands.isRequest(file);
  }

  private static boolean isPrimary(PrintedRole role) {
    return role.name().equals(PRIMARY);
  }
}
