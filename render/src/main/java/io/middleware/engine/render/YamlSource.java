package io.middleware.engine.render;

import io.middleware.engine.render.expression.SourcePosition;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads templates that are kept as YAML text (1.2 core schema, any number of documents) and records
 * the position of every character. Aliases are refused: a template is data of bounded size.
 */
final class YamlSource {
  private static final int MAX_DEPTH = 64;
  private static final SourcePosition START = new SourcePosition(1, 1);
  private static final LoadSettings SETTINGS = LoadSettings.builder().build();
  private static final CoreSchema SCHEMA = new CoreSchema();

  private final int[] text;
  private final Iterator<Event> events;
  private final TemplateErrors errors;

  private YamlSource(String text, TemplateErrors errors) {
    this.text = text.codePoints().toArray();
    this.events = new Parse(SETTINGS).parseString(text).iterator();
    this.errors = errors;
  }

  static List<ParsedTemplate> read(String yaml, TemplateErrors errors) {
    try {
      return new YamlSource(yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml, errors)
          .documents();
    } catch (MarkedYamlEngineException e) {
      errors.add(ObjectPath.ROOT, position(e.getProblemMark()), "YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      errors.add(ObjectPath.ROOT, START, "YAML: " + e.getMessage());
    }
    return List.of();
  }

  private List<ParsedTemplate> documents() {
    List<ParsedTemplate> documents = new ArrayList<>();
    while (events.hasNext()) {
      var event = events.next();
      if (startsNode(event)) {
        documents.add(node(event, ObjectPath.ROOT, 0));
      }
    }
    return documents;
  }

  private static boolean startsNode(Event event) {
    return event instanceof ScalarEvent
        || event instanceof MappingStartEvent
        || event instanceof SequenceStartEvent
        || event instanceof AliasEvent;
  }

  private ParsedTemplate node(Event event, ObjectPath path, int depth) {
    if (depth > MAX_DEPTH) {
      throw new MarkedProblem("nested deeper than " + MAX_DEPTH + " levels", event.getStartMark());
    }
    return switch (event) {
      case MappingStartEvent start -> mapping(start, path, depth);
      case SequenceStartEvent start -> sequence(start, path, depth);
      case ScalarEvent scalar -> scalar(scalar, path);
      default -> throw new MarkedProblem("aliases are not supported here", event.getStartMark());
    };
  }

  private ParsedTemplate mapping(MappingStartEvent start, ObjectPath path, int depth) {
    List<ParsedTemplate.ParsedEntry> entries = new ArrayList<>();
    for (var event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
      if (!(event instanceof ScalarEvent key)) {
        throw new MarkedProblem("a key must be a scalar", event.getStartMark());
      }
      var name = new ParsedTemplate.ParsedScalar(key.getValue(), offsets(key));
      entries.add(
          new ParsedTemplate.ParsedEntry(
              name, node(events.next(), path.field(key.getValue()), depth + 1)));
    }
    return new ParsedTemplate.ParsedMapping(entries, position(start.getStartMark()));
  }

  private ParsedTemplate sequence(SequenceStartEvent start, ObjectPath path, int depth) {
    List<ParsedTemplate> items = new ArrayList<>();
    for (var event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
      items.add(node(event, path.item(items.size()), depth + 1));
    }
    return new ParsedTemplate.ParsedSequence(items, position(start.getStartMark()));
  }

  private ParsedTemplate scalar(ScalarEvent scalar, ObjectPath path) {
    var tag = scalar.getTag().map(Tag::new).orElseGet(() -> implicitTag(scalar));
    if (tag.equals(Tag.STR)) {
      return new ParsedTemplate.ParsedScalar(scalar.getValue(), offsets(scalar));
    }
    var constructor = SCHEMA.getSchemaTagConstructors().get(tag);
    if (constructor == null) {
      errors.add(path, position(scalar.getStartMark()), "unknown tag " + tag);
      return new ParsedTemplate.ParsedScalar(null, offsets(scalar));
    }
    var node = new ScalarNode(tag, scalar.getValue(), scalar.getScalarStyle());
    return new ParsedTemplate.ParsedScalar(constructor.construct(node), offsets(scalar));
  }

  private static Tag implicitTag(ScalarEvent scalar) {
    if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
      return Tag.STR;
    }
    var tag = SCHEMA.getScalarResolver().resolve(scalar.getValue(), true);
    // the reader treats ${name} as an environment variable; in a template it is an expression
    return tag.equals(Tag.ENV_TAG) ? Tag.STR : tag;
  }

  private ParsedTemplate.ScalarOffsets offsets(ScalarEvent scalar) {
    return new YamlScalarPositions(text, scalar);
  }

  static SourcePosition position(Optional<Mark> mark) {
    return mark.map(m -> new SourcePosition(m.getLine() + 1, m.getColumn() + 1)).orElse(START);
  }

  /** A construct of YAML that templates may not use. */
  private static final class MarkedProblem extends MarkedYamlEngineException {
    private static final long serialVersionUID = 1L;

    MarkedProblem(String problem, Optional<Mark> mark) {
      super(null, Optional.empty(), problem, mark);
    }
  }
}
