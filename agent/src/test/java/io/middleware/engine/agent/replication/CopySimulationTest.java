package io.middleware.engine.agent.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Groups that live at random: writes, lost links, pods that are away, switchovers, failovers, new
 * volumes, old volumes. After a start of all pods the group goes on with a copy that has all
 * confirmed writes, where there is one.
 */
class CopySimulationTest {
  private static final int GROUPS = 2_000;
  private static final int STEPS = 60;
  private static final int MOST_PODS = 5;

  static IntStream seeds() {
    return IntStream.range(0, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldGoOnWithACopyThatHasAllConfirmedWrites(int seed) {
    for (var one = 0; one < GROUPS; one++) {
      var group = new Group(new Random(1_000_003L * seed + one));
      group.live();
      group.start();
      group.best();
    }
  }

  /** Writes are numbered; a copy is the list of those that it has. */
  private static final class Group {
    private final Random random;
    private final List<Pod> pods = new ArrayList<>();
    private final boolean appendOnly;
    private List<Integer> confirmed = List.of();
    private int writes;
    private int histories;
    private int primary;

    Group(Random random) {
      this.random = random;
      this.appendOnly = random.nextInt(3) > 0;
      var size = 1 + random.nextInt(MOST_PODS);
      for (var i = 0; i < size; i++) {
        pods.add(new Pod(i));
      }
      promote(random.nextInt(size));
    }

    void live() {
      for (var i = 0; i < STEPS; i++) {
        step();
      }
    }

    private void step() {
      var pod = random.nextInt(pods.size());
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> write();
        case 4 -> pods.get(pod).isLinked = false;
        case 5 -> connect(pod);
        case 6 -> switchOver(pod);
        case 7 -> startAll();
        case 8 -> endUnmarked(pod);
        default -> record();
      }
    }

    private void write() {
      writes++;
      var of = pods.get(primary);
      of.append(writes);
      for (var one : pods) {
        if (one.isLinked) {
          one.append(writes);
        }
      }
      confirmed = List.copyOf(of.data);
    }

    /** The agents see roles and links each second, and record an offset every few seconds. */
    private void record() {
      var of = pods.get(primary);
      for (var one : pods) {
        if (one.history.equals(of.history)) {
          var standing =
              one == of ? Standing.PRIMARY : one.isLinked ? Standing.FOLLOWING : Standing.BEHIND;
          var isRecorded = of.history.equals(one.mark.history()) && random.nextBoolean();
          var offset = isRecorded ? one.mark.offset() : one.offset;
          one.mark = new ReplicationMark("aa", of.mark.epoch(), standing, of.history, offset);
        } else if (one.mark.standing() == Standing.FOLLOWING && one.mark.epoch() > 0) {
          one.mark = one.mark.with(Standing.BEHIND);
        }
      }
    }

    private void connect(int number) {
      var one = pods.get(number);
      if (number != primary) {
        one.data = new ArrayList<>(pods.get(primary).data);
        one.history = pods.get(primary).history;
        one.offset = pods.get(primary).offset;
        one.isLinked = true;
      }
    }

    private void switchOver(int number) {
      if (pods.get(number).isLinked) {
        promote(number);
      }
    }

    private void startAll() {
      start();
      promote(best());
      record();
    }

    /** A primary hands over to a pod that ends soon, and then the other pods end. */
    private void endUnmarked(int number) {
      if (!appendOnly && pods.get(number).isLinked) {
        record();
        handOver(number);
        write();
        pods.forEach(one -> one.isLinked = false);
        pods.forEach(one -> one.before = ""); // it is not in a snapshot
        promote(best());
        record();
      }
    }

    private void handOver(int number) {
      var old = pods.get(primary);
      var one = pods.get(number);
      histories++;
      one.before = one.history;
      one.history = Integer.toHexString(histories);
      one.isLinked = false;
      old.isLinked = random.nextBoolean();
      primary = number;
      for (var other : pods) {
        if (other.isLinked) {
          other.history = one.history;
        }
      }
    }

    private void promote(int number) {
      var epoch = pods.stream().mapToLong(one -> one.mark.epoch()).max().orElse(0) + 1;
      var one = pods.get(number);
      histories++;
      one.before = one.history;
      one.history = Integer.toHexString(histories);
      one.isLinked = false;
      one.mark = new ReplicationMark("aa", epoch, Standing.PRIMARY, one.history, one.offset);
      primary = number;
      for (var other : pods) {
        if (other.isLinked) {
          other.history = one.history;
        }
      }
    }

    /** All pods, some with a new volume. */
    void start() {
      record();
      if (random.nextInt(4) == 0) {
        var number = random.nextInt(pods.size());
        pods.set(number, new Pod(number));
      }
      forget();
    }

    int best() {
      var best = (int) BestCopy.of(copies()).orElseThrow().number();
      if (!complete().isEmpty()) {
        assertThat(complete()).as("%s", copies()).contains(best);
      }
      confirmed = List.copyOf(pods.get(best).data);
      return best;
    }

    private void forget() {
      pods.forEach(one -> one.isLinked = false);
      var someGoOn = random.nextInt(3) == 0; // a primary without a link to any pod that runs
      pods.stream()
          .filter(one -> appendOnly && !(someGoOn && random.nextBoolean()))
          .forEach(Pod::forget);
    }

    private List<Integer> complete() {
      return IntStream.range(0, pods.size())
          .filter(i -> pods.get(i).data.containsAll(confirmed))
          .boxed()
          .toList();
    }

    private List<GroupCopy> copies() {
      return pods.stream().map(Pod::copy).toList();
    }
  }

  private static final class Pod {
    private final int number;
    private List<Integer> data = new ArrayList<>();
    private ReplicationMark mark = ReplicationMark.NONE;
    private String history = "";
    private String before = "";
    private long offset = 1;
    private boolean isLinked;

    Pod(int number) {
      this.number = number;
    }

    void append(int write) {
      data.add(write);
      offset++;
    }

    /** Redis starts from append-only files with another history. */
    void forget() {
      history = "f" + number;
      before = "";
      offset = 1;
    }

    GroupCopy copy() {
      return new GroupCopy(number, new History(history, before, offset, data.isEmpty()), mark);
    }
  }
}
