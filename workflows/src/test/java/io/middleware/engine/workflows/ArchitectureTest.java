package io.middleware.engine.workflows;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import io.middleware.engine.api.ModuleArchitecture;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workflow code decides; it neither reads nor writes, and does the same when it is replayed. */
class ArchitectureTest extends ModuleArchitecture {
  /** Methods that give another answer at replay. */
  private static final Map<String, Set<String>> NOT_DETERMINISTIC =
      Map.of(
          "java.time.Instant", Set.of("now"),
          "java.time.LocalDateTime", Set.of("now"),
          "java.time.Clock", Set.of("systemUTC", "systemDefaultZone"),
          "java.lang.System", Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty"),
          "java.util.UUID", Set.of("randomUUID"),
          "java.lang.Math", Set.of("random"),
          "java.lang.Thread", Set.of("sleep", "start", "ofVirtual", "ofPlatform"),
          "java.util.Set", Set.of("of", "copyOf"),
          "java.util.Map", Set.of("of", "copyOf", "ofEntries"));

  ArchitectureTest() {
    super("io.middleware.engine.workflows");
  }

  @Test
  void shouldKnowOnlyTemporalAndTheTaskVocabulary() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.middleware.engine.workflows..",
            "io.middleware.engine.api.task..",
            "io.temporal..",
            "com.fasterxml.jackson.annotation..",
            "org.slf4j..",
            "java.lang..",
            "java.time..",
            "java.util",
            "java.util.function..",
            "java.util.stream..",
            "org.jspecify..")
        .because("workflow code decides and activities touch the world")
        .check(classes);
  }

  @Test
  void shouldReplayTheSame() {
    noClasses()
        .should()
        .callMethodWhere(
            describe(
                "gives another answer at replay: use Workflow.currentTimeMillis, newRandom, sleep,"
                    + " or a LinkedHashMap",
                ArchitectureTest::isNotDeterministic))
        .check(classes);
  }

  @Test
  void shouldHaveNoUnorderedCollections() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.HashMap")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.HashSet")
        .check(classes);
  }

  @Test
  void shouldKnowEveryPackageOfTheModule() {
    assertThat(
            classes.stream()
                .map(JavaClass::getPackageName)
                .map(name -> name.substring("io.middleware.engine.".length())))
        .containsOnly(
            "workflows",
            "workflows.backup",
            "workflows.component",
            "workflows.port",
            "workflows.request",
            "workflows.secrets",
            "workflows.temporal",
            "workflows.testing",
            "workflows.testing.port");
  }

  private static boolean isNotDeterministic(JavaMethodCall call) {
    return NOT_DETERMINISTIC
        .getOrDefault(call.getTargetOwner().getFullName(), Set.of())
        .contains(call.getName());
  }
}
