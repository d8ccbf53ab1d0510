package io.middleware.engine.planning.condition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.check.WebhookCondition;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.planning.condition.BoundedHttp.Reply;
import io.middleware.engine.planning.condition.EndpointPolicy.Endpoint;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks servers that say themselves whether a condition holds: {@code {function, params, state}} is
 * posted, {@code {passed, actual, message}} is the answer. Thread-safe.
 */
final class WebhookSource {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST = 1000;

  private final BoundedHttp http;
  private final EndpointPolicy policy;

  WebhookSource(BoundedHttp http, EndpointPolicy policy) {
    this.http = http;
    this.policy = policy;
  }

  /**
   * The server's verdict. Not known when the server does not answer; when it refuses the question,
   * or answers something else, the condition does not hold.
   *
   * @param state what the server is to know of what is checked; plain values, lists and maps
   */
  Verdict ask(WebhookCondition condition, Map<String, ?> state) throws InterruptedException {
    return switch (policy.endpoint(condition.url())) {
      case Endpoint.Refused(var why) -> refused(why);
      case Endpoint.Allowed(var url) ->
          switch (http.post(url, "application/json", question(condition, state))) {
            case Reply.Answered(var body) -> verdict(url, body);
            case Reply.Refused(var why) -> refused(why);
            case Reply.Unanswered(var why) -> new Verdict.NotKnown(why);
          };
    };
  }

  private static Verdict refused(String why) {
    return new Verdict.DoesNotHold("no answer", why);
  }

  private static String question(WebhookCondition condition, Map<String, ?> state) {
    var question = new LinkedHashMap<String, Object>();
    if (condition.function() != null) {
      question.put("function", condition.function());
    }
    question.put("params", condition.params() == null ? Map.of() : condition.params());
    question.put("state", state);
    try {
      return JSON.writeValueAsString(question);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the state cannot be written as JSON", e);
    }
  }

  private static Verdict verdict(URI url, JsonNode answer) {
    var passed = answer.path("passed");
    if (!passed.isBoolean()) {
      return refused(
          "%s: the answer has no passed: true or false".formatted(BoundedHttp.shown(url)));
    }
    var actual = text(answer.path("actual"));
    var message = text(answer.path("message"));
    var found = actual.isEmpty() ? message : actual;
    if (passed.booleanValue()) {
      return new Verdict.Holds(found);
    }
    return new Verdict.DoesNotHold(
        found,
        message.isEmpty()
            ? "the webhook says that it does not hold" + (found.isEmpty() ? "" : ": " + found)
            : message);
  }

  /** It ends in a status and in a history. */
  private static String text(JsonNode value) {
    var text =
        value.isMissingNode() || value.isNull()
            ? ""
            : value.isTextual() ? value.textValue() : value.toString();
    return Excerpt.of(text, LONGEST);
  }
}
