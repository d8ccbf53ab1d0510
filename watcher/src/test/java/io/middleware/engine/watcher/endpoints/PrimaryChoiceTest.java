package io.middleware.engine.watcher.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.watcher.endpoints.PrimaryChoice.Served;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ready pods of a group of three, each as {@code name role term}: {@code P} says that it is the
 * primary, {@code R} that it is a replica, {@code p} and {@code r} said so last and are silent,
 * {@code ?} never said anything. Served is a pod and its term.
 */
class PrimaryChoiceTest {

  @ParameterizedTest(name = "{0}: {1} served {2} -> {3}")
  @CsvSource({
    // what settles
    "the first one,                      a P 1; b R 1; c R 1, - 0, a 1",
    "nobody claims,                      a R 1; b R 1; c R 1, - 0, - 0",
    "it stays,                           a P 1; b R 1; c R 1, a 1, a 1",
    // failover and switchover
    "the new one claims first,           a P 1; b P 2; c R 1, a 1, b 2",
    "the old one steps down first,       a R 1; b R 1; c R 1, a 1, - 1",
    "then the new one claims,            a R 1; b P 2; c R 1, - 1, b 2",
    "the old one is not ready,           b R 1; c R 1,        a 1, - 1",
    "its successor,                      b P 2; c R 1,        a 1, b 2",
    // the old one is stopped, and awakes
    "it is silent,                       a p 1; b R 1; c R 1, a 1, a 1",
    "it is silent and there is another,  a p 1; b P 2; c R 1, a 1, b 2",
    "it awakes with its claim,           a P 1; b P 2; c R 2, b 2, b 2",
    "it awakes when the new one is gone, a P 1; c R 2,        b 2, - 2",
    "and the new one is a replica now,   a P 1; b R 2; c R 1, b 2, - 2",
    "and the new one is silent,          a P 1; b p 2; c R 1, b 2, b 2",
    "it has learned of its successor,    a R 2; b P 2; c R 2, b 2, b 2",
    // two claims that nothing decides
    "equal terms and none was served,    a P 1; b P 1; c R 1, - 0, - 0",
    "equal terms and one is served,      a P 1; b P 1; c R 1, b 1, b 1",
    "equal terms and another was served, a P 1; b P 1; c p 1, c 1, - 1",
    "three claims,                       a P 1; b P 2; c P 2, c 2, c 2",
    "a claim that another pod knows of,  a P 1; b R 2; c R 1, - 0, - 0",
    // agents without terms
    "one claim without a term,           a P 0; b R 0; c R 0, - 0, a 0",
    "another one,                        a R 0; b P 0; c R 0, a 0, b 0",
    "two claims without terms,           a P 0; b P 0; c R 0, - 0, - 0",
    "two of which one is served,         a P 0; b P 0; c R 0, a 0, a 0",
    "one with and one without,           a P 0; b P 3; c R 0, - 0, - 0",
    "a silent one without a term,        a p 0; b P 0; c R 0, a 0, b 0",
    "replicas that have terms already,   a P 0; b R 4; c R 4, - 0, a 0",
    "served with a term before,          a P 0; b R 4; c R 4, b 4, a 4",
    "of which another one may be silent, a P 0; b R 4; c r 4, b 4, - 4",
    "or come back,                       a P 0; b R 4,        c 4, - 4",
    // the process has just started, or the agents have
    "nobody is heard yet,                a ? 0; b ? 0; c ? 0, b 4, b 4",
    "only the others are heard,          a R 4; b ? 0; c R 4, b 4, b 4",
    "a replica that was primary,         a R 4; b r 4; c R 4, b 4, - 4",
    // the group has begun anew, after a restore or with volumes that are empty
    "all know of older terms only,       a P 1; b R 1; c R 1, b 7, a 1",
    "one is not ready,                   a P 1; b R 1,        b 7, - 7",
    "one is silent,                      a P 1; b R 1; c r 7, b 7, - 7",
    "agents of an earlier version,       a P 0; b R 0; c R 0, b 7, a 0",
    "no pod is ready,                    '',                  b 7, - 7"
  })
  void shouldServeOnePodOrNone(String why, String pods, String before, String after) {
    assertThat(new PrimaryChoice(members(pods), 3, 3).after(served(before)))
        .isEqualTo(served(after));
  }

  @Test
  void shouldForgetWhatItServedWhenTheGroupHasNoPods() {
    assertThat(new PrimaryChoice(List.of(), 3, 0).after(served("b 7"))).isEqualTo(Served.NOTHING);
  }

  private static Served served(String text) {
    var words = text.split(" ");
    return new Served(
        Optional.of(words[0]).filter(uid -> !uid.equals("-")), Long.parseLong(words[1]));
  }

  private static List<Member> members(String text) {
    return Arrays.stream(text.split("; *"))
        .filter(one -> !one.isEmpty())
        .map(one -> one.split(" "))
        .flatMap(
            words ->
                Stream.of(
                    new Member(
                        words[0],
                        words[0],
                        "10.0.0.1",
                        role(words[1]),
                        Long.parseLong(words[2]),
                        words[1].equals("P") || words[1].equals("R"))))
        .toList();
  }

  private static String role(String letter) {
    return switch (letter) {
      case "P", "p" -> "primary";
      case "R", "r" -> "replica";
      default -> "";
    };
  }
}
