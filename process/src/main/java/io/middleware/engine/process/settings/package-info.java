/** How a tree of records is read from a file, the environment and the command line. */
package io.middleware.engine.process.settings;
