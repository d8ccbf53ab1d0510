/** Reads a tree of records from a file, the environment and the command line. */
package io.middleware.engine.process.settings;
