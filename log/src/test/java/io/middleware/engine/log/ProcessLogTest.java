package io.middleware.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

@Isolated("changes what happens to uncaught exceptions and other logs in the whole process")
class ProcessLogTest {
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();

  @BeforeEach
  void begin() {
    lines.start();
    root.addAppender(lines);
    ProcessLog.begin();
  }

  @AfterEach
  void restore() {
    SLF4JBridgeHandler.uninstall();
    Thread.setDefaultUncaughtExceptionHandler(before);
    root.detachAppender(lines);
  }

  @Test
  void shouldLogWhatNobodyCatches() throws InterruptedException {
    // When
    var thread =
        Thread.ofPlatform()
            .name("poller")
            .start(
                () -> {
                  throw new IllegalStateException("broken");
                });
    thread.join();
    // Then
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getFormattedMessage())
                  .isEqualTo("uncaught exception in thread poller");
              assertThat(line.getThrowableProxy().getMessage()).isEqualTo("broken");
            });
  }

  @Test
  void shouldLogWhatLibrariesSayToJavasOwnLog() {
    // When
    java.util.logging.Logger.getLogger("io.grpc.Some").warning("no address");
    // Then
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLoggerName()).isEqualTo("io.grpc.Some");
              assertThat(line.getFormattedMessage()).isEqualTo("no address");
            });
  }
}
