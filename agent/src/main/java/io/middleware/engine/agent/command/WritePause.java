package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.middleware.engine.agent.driver.Driver;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pause of writes that the command {@code persist} begins, and {@code resume} ends. */
final class WritePause {
  private static final Logger LOG = LoggerFactory.getLogger(WritePause.class);

  /** A middleware that takes no writes is of no use. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final KnownCommands commands;
  private final ScheduledExecutorService scheduler;
  private ScheduledFuture<?> end;

  WritePause(KnownCommands commands, ScheduledExecutorService scheduler) {
    this.commands = commands;
    this.scheduler = scheduler;
  }

  /** Makes data durable. */
  interface Persisting {
    void run() throws InterruptedException;
  }

  /** The pause ends when this fails, and at the latest when it has lasted too long. */
  void during(Persisting persisting) throws InterruptedException {
    var done = false;
    try {
      persisting.run();
      done = true;
    } finally {
      if (done) {
        endIn(Driver.LONGEST_PAUSE);
      } else {
        endOrSayWhy();
      }
    }
  }

  private synchronized void endIn(Duration delay) {
    cancel();
    end = scheduler.schedule(this::endOrSayWhy, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void endOrSayWhy() {
    try {
      end();
    } catch (RuntimeException e) {
      LOG.atWarn().addKeyValue("cause", e).log("cannot end the pause of writes; retrying");
      endIn(AGAIN);
    }
  }

  /** Does nothing where there is no command for it; may be repeated. */
  void end() {
    synchronized (this) {
      cancel();
    }
    var interrupted = Thread.interrupted(); // the pause ends in any case
    try {
      var command = commands.find("resume");
      if (command.isPresent()) {
        command.get().call(CommandInput.question(), (message, percent) -> {}).outputOrThrow();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      throw Status.UNAVAILABLE
          .withDescription("the command resume was interrupted")
          .withCause(e)
          .asRuntimeException();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void cancel() {
    if (end != null) {
      end.cancel(false);
    }
  }
}
