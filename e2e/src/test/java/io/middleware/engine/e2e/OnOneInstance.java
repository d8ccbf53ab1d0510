package io.middleware.engine.e2e;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Shares the classes between the instances on which {@code dev/test} runs them side by side: the
 * first one that comes to a class runs it. The variable {@code CLAIMED_CLASSES} is the folder with
 * a file for each class that is taken; without it every class runs here.
 */
final class OnOneInstance implements ExecutionCondition {
  private static final String FOLDER = System.getenv("CLAIMED_CLASSES");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (FOLDER == null || context.getTestMethod().isPresent()) {
      return enabled("not shared");
    }
    var type = context.getRequiredTestClass();
    try {
      Files.createFile(Path.of(FOLDER, type.getName()));
      return enabled("claimed");
    } catch (FileAlreadyExistsException e) {
      return disabled("runs on another instance");
    } catch (IOException e) {
      throw new UncheckedIOException("claim " + type + " in " + FOLDER, e);
    }
  }
}
