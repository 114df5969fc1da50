fn main(){ println!("{}", meterhouse_http::document().to_pretty_json().unwrap()); }
