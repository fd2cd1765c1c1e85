//! The command `gridsat schema`: JSON Schemas, generated from the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::args::SchemaArgs;
use super::exit::{Exit, Failure};
use super::json::Printed;
use super::output::write_to;
use super::{bench, campaign, compare, decide, decode, experiment, map, solve, split, verify};

pub fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let folder = args.folder.as_path();
    std::fs::create_dir_all(folder).map_err(Failure::internal)?;
    for (name, schema) in all() {
        let text = serde_json::to_string_pretty(&schema).map_err(Failure::internal)?;
        let path = folder.join(format!("{name}.json"));
        write_to(Some(&path), |out| writeln!(out, "{text}"))?;
    }
    Ok(Exit::Answered)
}

/// All schemas, with their file names.
fn all() -> Vec<(String, Schema)> {
    vec![
        document::<solve::Json>(),
        document::<solve::JsonFailed>(),
        document::<decide::Json>(),
        document::<decode::Json>(),
        document::<verify::Json>(),
        document::<map::Json>(),
        document::<split::Json>(),
        document::<compare::InstanceJson>(),
        document::<compare::GridJson>(),
        document::<compare::ClustersJson>(),
        document::<bench::Json<'static>>(),
        document::<campaign::Json>(),
        document::<gridsat_lab::campaign::Row>(),
        document::<experiment::Json>(),
        document::<experiment::ClaimsJson<'static>>(),
        list::<experiment::Listed>("experiment-list"),
    ]
}

/// The schema of a plain list, which has no field for a format.
fn list<T: JsonSchema>(name: &str) -> (String, Schema) {
    let mut schema = of::<Vec<T>>();
    schema.insert("title".to_owned(), json!(format!("gridsat-{name}")));
    (name.to_owned(), schema)
}

/// The schema of an object, with its format as the first field.
fn document<T: Printed>() -> (String, Schema) {
    let mut schema = of::<T>();
    let format = json!({ "const": T::FORMAT, "description": "Format and version of this object." });
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.shift_insert(0, "format".to_owned(), format);
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.insert(0, json!("format"));
    }
    schema.insert("title".to_owned(), json!(T::FORMAT));
    let name = T::FORMAT.trim_start_matches("gridsat-");
    (name.split(' ').next().unwrap_or(name).to_owned(), schema)
}

/// The schema of the serialised form, without references.
fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}
