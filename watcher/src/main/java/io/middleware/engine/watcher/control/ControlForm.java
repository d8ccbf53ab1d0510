package io.middleware.engine.watcher.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.watcher.change.ControlRequest;
import io.middleware.engine.watcher.change.ControlRequest.ApprovePlan;
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

/** The annotations by which operators write control requests, and their syntax. */
enum ControlForm {
  CANCEL(
      Labels.CANCEL_CONTROL,
      "CancelRequested",
      "{\"cancelTaskIds\": [\"12-config-redis-nodes\"]}, or {} for the whole change",
      Set.of("cancelTaskIds")) {
    @Override
    ControlRequest parse(String value) {
      var json = object(value);
      return json.has("cancelTaskIds")
          ? new CancelTasks(new CancelRequest(ids(json, "cancelTaskIds")))
          : new CancelChange(new ChangeScope(Optional.empty()));
    }
  },
  RETRY(
      Labels.RETRY_CONTROL,
      "RetryRequested",
      "{\"retryTaskIds\": [\"12-config-redis-nodes\"], \"resetDependencies\": false}, or {} for a"
          + " change that was rejected",
      Set.of("retryTaskIds", "resetDependencies")) {
    @Override
    ControlRequest parse(String value) {
      var json = object(value);
      return json.isEmpty()
          ? new RetryTasks(WHOLE_CHANGE)
          : new RetryTasks(
              new RetryRequest(ids(json, "retryTaskIds"), flag(json, "resetDependencies")));
    }
  },
  APPROVE(Labels.APPROVE, "PlanApproved", "the hash that status.plan shows", Set.of()) {
    @Override
    ControlRequest parse(String value) {
      if (!HASH.matcher(value).matches()) {
        throw invalid("is not a hash");
      }
      return new ApprovePlan(new ApproveRequest(value));
    }
  };

  /** Names no task: the change is planned again. */
  private static final RetryRequest WHOLE_CHANGE = new RetryRequest(List.of(), false);

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

  /** The reason of the event when the request is accepted. */
  String reason() {
    return reason;
  }

  /**
   * @throws IllegalArgumentException naming the problem and the expected form
   */
  ControlRequest read(String value) {
    if (value.length() > LONGEST) {
      throw invalid("has %d characters, more than %d".formatted(value.length(), LONGEST));
    }
    return parse(value);
  }

  abstract ControlRequest parse(String value);

  /** The JSON object, with the fields of this form only. */
  JsonNode object(String value) {
    var json = parsed(value);
    if (!json.isObject()) {
      throw invalid("is not a JSON object");
    }
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!fields.contains(name)) {
                throw invalid(
                    "has an unknown field '%s'".formatted(Excerpt.of(name, LONGEST_QUOTE)));
              }
            });
    return json;
  }

  private JsonNode parsed(String value) {
    try {
      return STRICT.readTree(value);
    } catch (JsonProcessingException e) {
      var where = e.getLocation();
      var place =
          where == null
              ? ""
              : ", see line %d, column %d".formatted(where.getLineNr(), where.getColumnNr());
      throw invalid("is not valid JSON" + place);
    }
  }

  List<String> ids(JsonNode json, String field) {
    var list = json.path(field);
    if (!list.isArray() || list.isEmpty()) {
      throw invalid(list.isArray() ? field + " is empty" : typeOf(field, list, "a list of ids"));
    }
    var ids = new ArrayList<String>();
    for (var id : list) {
      if (!id.isTextual()) {
        throw invalid(typeOf("an entry of " + field, id, "an id in quotes"));
      }
      ids.add(id.textValue());
    }
    return ids;
  }

  boolean flag(JsonNode json, String field) {
    var flag = json.path(field);
    if (!flag.isMissingNode() && !flag.isBoolean()) {
      throw invalid(typeOf(field, flag, "true or false"));
    }
    return flag.booleanValue();
  }

  private static String typeOf(String what, JsonNode found, String expected) {
    return found.getNodeType() == JsonNodeType.MISSING
        ? what + " is missing"
        : "%s is of type %s, not %s"
            .formatted(what, found.getNodeType().name().toLowerCase(Locale.ROOT), expected);
  }

  IllegalArgumentException invalid(String problem) {
    return new IllegalArgumentException(
        "annotation %s cannot be read: %s; expected %s".formatted(annotation, problem, example));
  }
}
