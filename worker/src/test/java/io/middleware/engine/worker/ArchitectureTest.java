package io.middleware.engine.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** The worker composes the activities; it does not know the watcher. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.worker");
  }

  @Test
  void shouldNotDependOnTheWatcher() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.middleware.engine.watcher..")
        .check(classes);
  }
}
