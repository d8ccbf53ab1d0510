package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.replication.RoleClaim;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adds actions that are commands to a driver. A command replaces an action of the same name. */
public record CommandDriver(Driver driver, Path folder, CommandPlace place) implements Driver {
  /** What an agent has to do when a pod joins the others of its group, or leaves them. */
  private static final Set<String> OF_MEMBERS = Set.of("join", "joined", "leave");

  /**
   * @param folder with one file for each action; empty: no commands
   */
  public static Driver over(Driver driver, Optional<Path> folder) {
    return over(driver, folder, CommandPlace.here());
  }

  /** The same in a container that does nothing else, so that each orphan is of an action. */
  public static Driver inContainer(Driver driver, Optional<Path> folder) {
    return over(driver, folder, CommandPlace.here(Orphans.ofContainer()));
  }

  static Driver over(Driver driver, Optional<Path> folder, CommandPlace place) {
    return folder.<Driver>map(path -> new CommandDriver(driver, path, place)).orElse(driver);
  }

  @Override
  public ReplicationRole role() {
    return driver.role();
  }

  @Override
  public String roleName() {
    return driver.roleName();
  }

  @Override
  public RoleClaim claim() {
    return driver.claim();
  }

  @Override
  public String roleSign() {
    return driver.roleSign();
  }

  @Override
  public Optional<String> trouble() {
    return driver.trouble();
  }

  @Override
  public Optional<String> primary() {
    return driver.primary();
  }

  @Override
  public Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    return driver.switchover(successor, progress);
  }

  @Override
  public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
    return driver.outdatedSecret(salt, digests);
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    return driver.reload(parameters, progress);
  }

  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    driver.drain(progress);
  }

  @Override
  public void persist(boolean beforeEnd, ProgressSink progress) throws InterruptedException {
    driver.persist(beforeEnd, progress);
  }

  @Override
  public void resume() {
    driver.resume();
  }

  @Override
  public String measure(String question) {
    return driver.measure(question);
  }

  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    var commands = new CommandFolder(folder, place);
    var command = commands.command(request.name());
    if (command.isPresent()) {
      return CommandRun.start(request, command.get(), place).await(progress);
    }
    try {
      return driver.runAction(request, progress);
    } catch (StatusRuntimeException e) {
      throw e.getStatus().getCode() == Status.Code.UNIMPLEMENTED ? unknown(request, commands) : e;
    }
  }

  /** A pod that joins or leaves with nothing to do is no mistake of the Plugin. */
  static StatusRuntimeException unknown(ActionRequest request, CommandFolder commands) {
    return (OF_MEMBERS.contains(request.name()) ? Status.UNIMPLEMENTED : Status.FAILED_PRECONDITION)
        .withDescription(
            "this agent does not know the action %s; the commands in %s are %s"
                .formatted(request.name(), commands.folder(), commands.names()))
        .asRuntimeException();
  }
}
