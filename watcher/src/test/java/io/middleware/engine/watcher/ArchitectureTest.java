package io.middleware.engine.watcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.process.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** The watcher observes and signals; it carries out nothing itself. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.watcher");
  }

  @Test
  void shouldNotDependOnTheWorker() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.middleware.engine.activities..", "io.middleware.engine.worker..")
        .check(classes);
  }
}
