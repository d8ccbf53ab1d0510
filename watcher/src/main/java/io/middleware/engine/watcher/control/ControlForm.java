package io.middleware.engine.watcher.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.change.ControlRequest;
import io.middleware.engine.watcher.change.ControlRequest.Approve;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.ControlRequest.CancelTasks;
import io.middleware.engine.watcher.change.ControlRequest.RetryTasks;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** How operators write what they ask for: one annotation each. */
enum ControlForm {
  CANCEL(
      Labels.CANCEL_CONTROL,
      "CancelRequested",
      "{\"cancelTaskIds\": [\"12-config-redis-nodes\"]}, or {} for the whole change",
      Set.of("cancelTaskIds")) {
    @Override
    ControlRequest parse(String value) {
      var asked = object(value);
      return asked.has("cancelTaskIds")
          ? new CancelTasks(new CancelRequest(ids(asked, "cancelTaskIds")))
          : new CancelChange(new ChangeScope(Optional.empty()));
    }
  },
  RETRY(
      Labels.RETRY_CONTROL,
      "RetryRequested",
      "{\"retryTaskIds\": [\"12-config-redis-nodes\"], \"resetDependencies\": false}",
      Set.of("retryTaskIds", "resetDependencies")) {
    @Override
    ControlRequest parse(String value) {
      var asked = object(value);
      return new RetryTasks(
          new RetryRequest(ids(asked, "retryTaskIds"), flag(asked, "resetDependencies")));
    }
  },
  APPROVE(Labels.APPROVE, "PlanApproved", "the hash that status.plan shows", Set.of()) {
    @Override
    ControlRequest parse(String value) {
      if (!HASH.matcher(value).matches()) {
        throw wrong("is no hash");
      }
      return new Approve(new ApproveRequest(value));
    }
  };

  private static final int LONGEST = 16 * 1024;
  private static final int LONGEST_QUOTE = 100;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{8,64}");
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final String annotation;
  private final String reason;
  private final String example;
  private final Set<String> fields;

  ControlForm(String annotation, String reason, String example, Set<String> fields) {
    this.annotation = annotation;
    this.reason = reason;
    this.example = example;
    this.fields = fields;
  }

  String annotation() {
    return annotation;
  }

  /** Of the event that says it was granted. */
  String reason() {
    return reason;
  }

  /**
   * @throws IllegalArgumentException saying what is wrong and what is expected
   */
  ControlRequest read(String value) {
    if (value.length() > LONGEST) {
      throw wrong("has %d characters, more than %d".formatted(value.length(), LONGEST));
    }
    return parse(value);
  }

  abstract ControlRequest parse(String value);

  /** With the fields of this form and no others. */
  JsonNode object(String value) {
    var asked = json(value);
    if (!asked.isObject()) {
      throw wrong("is not a JSON object");
    }
    asked
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!fields.contains(name)) {
                throw wrong("has an unknown field '%s'".formatted(quoted(name)));
              }
            });
    return asked;
  }

  private JsonNode json(String value) {
    try {
      return STRICT.readTree(value);
    } catch (JsonProcessingException e) {
      var where = e.getLocation();
      var place =
          where == null
              ? ""
              : ", see line %d, column %d".formatted(where.getLineNr(), where.getColumnNr());
      throw wrong("is not valid JSON" + place);
    }
  }

  List<String> ids(JsonNode asked, String field) {
    var list = asked.path(field);
    if (!list.isArray() || list.isEmpty()) {
      throw wrong(list.isArray() ? field + " names no task" : typeOf(field, list, "a list of ids"));
    }
    var ids = new ArrayList<String>();
    for (var id : list) {
      if (!id.isTextual()) {
        throw wrong(typeOf("an entry of " + field, id, "an id in quotes"));
      }
      ids.add(id.textValue());
    }
    return ids;
  }

  boolean flag(JsonNode asked, String field) {
    var flag = asked.path(field);
    if (!flag.isMissingNode() && !flag.isBoolean()) {
      throw wrong(typeOf(field, flag, "true or false"));
    }
    return flag.booleanValue();
  }

  private static String typeOf(String what, JsonNode found, String wanted) {
    return found.getNodeType() == JsonNodeType.MISSING
        ? what + " is missing"
        : "%s is of type %s, not %s"
            .formatted(what, found.getNodeType().name().toLowerCase(Locale.ROOT), wanted);
  }

  IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        "annotation %s cannot be read: %s; expected %s".formatted(annotation, what, example));
  }

  private static String quoted(String text) {
    return text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text;
  }
}
