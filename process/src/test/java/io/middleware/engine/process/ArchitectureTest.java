package io.middleware.engine.process;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** What both processes share; it knows neither of them. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.process");
  }

  @Test
  void shouldNotDependOnWhatUsesIt() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.middleware.engine.workflows..",
            "io.middleware.engine.activities..",
            "io.middleware.engine.worker..",
            "io.middleware.engine.watcher..")
        .check(classes);
  }
}
