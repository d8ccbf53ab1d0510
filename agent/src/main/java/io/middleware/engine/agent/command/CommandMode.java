package io.middleware.engine.agent.command;

import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.store.StoreSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/**
 * An agent without code: all that it knows of its middleware are the commands in a folder.
 *
 * @param maintenance asks for the role; the pod serves while the role is known
 */
public record CommandMode(AgentAnswers answers, PodMaintenance maintenance) {

  /**
   * What the commands are, and how they are called.
   *
   * @param pod the name of its pod
   * @param folder with the commands, read at each call
   * @param roleInterval between two questions for the role
   * @param roleLimit after which the command {@code role} is killed
   * @param order of pods without the command {@code order}
   * @param backups where backups are kept, if anywhere
   * @param secrets the passwords that the pod mounts, by the names of their parameters
   */
  public record Settings(
      String pod,
      Path folder,
      Duration roleInterval,
      Duration roleLimit,
      RoleOrder order,
      Optional<? extends StoreSource> backups,
      AccountFiles secrets) {}

  /**
   * @param others tells the roles of the other pods of the group
   * @param scheduler ends the pause of writes
   */
  public static CommandMode of(
      Settings settings, OtherRoles others, ScheduledExecutorService scheduler) {
    return of(settings, others, scheduler, CommandPlace.here());
  }

  /** The same in a container that does nothing else, so that each orphan is of a command. */
  public static CommandMode inContainer(
      Settings settings, OtherRoles others, ScheduledExecutorService scheduler) {
    return of(settings, others, scheduler, CommandPlace.here(Orphans.ofContainer()));
  }

  /** The same with the commands in another place. */
  public static CommandMode of(
      Settings settings,
      OtherRoles others,
      ScheduledExecutorService scheduler,
      CommandPlace place) {
    var commands =
        new KnownCommands(new CommandFolder(settings.folder(), place), new HttpCalls(place));
    var questions = new CommandQuestions(commands);
    var roles =
        new RoleWatch(
            () -> questions.role(settings.roleLimit()).inTheWordsOf(settings.order()),
            settings.roleInterval().plus(settings.roleLimit()),
            System::nanoTime);
    var driver =
        new CommandModeDriver(
            settings.pod(),
            commands,
            roles,
            new WritePause(commands, scheduler),
            settings.backups(),
            settings.secrets());
    return new CommandMode(
        new CommandModeAnswers(settings.pod(), commands, driver, settings.order(), others), roles);
  }
}
